"""One service on a folder: a second one took the first one's half uploads away."""

from docparse_fast.batch.lock import locked
from docparse_fast.cli import run


def test_a_second_service_on_a_folder_does_not_begin(tmp_path, capsys):
    with locked(tmp_path / ".lock", tmp_path, "service"):
        assert run(["service", str(tmp_path), "--port", "0"]) == 1
    assert f"{tmp_path} is in use by another service" in capsys.readouterr().err
