"""A process that stays loaded for a minute, so that `convert` of a small page needn't load everything again.

    convert --warm -> client --socket--> keeper --fork--> a process that runs the command line as it was given

`meeting` says where the two meet: a socket that only its user can reach, named after the very code that is loaded.
`client` is all that a warm call loads. `keeper` loads the rest once, and forks for each call.
"""
