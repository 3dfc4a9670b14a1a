"""Documents over HTTP: uploaded, converted in worker processes, and given back as `convert` writes them.

    app (HTTP) --> JobBook (a folder for each job, kept on disk) <-- Runner (threads, each with a worker process)

Only `app` knows HTTP, and only it needs the extra `[http]`.
"""
