"""The book of jobs: what was accepted is never lost, and nothing is found that wasn't."""

from __future__ import annotations

import pytest

from docparse_fast.service.jobs import DOCUMENT, OUT, FullError, JobBook


@pytest.fixture
def book(tmp_path) -> JobBook:
    return JobBook(tmp_path / "spool", most_waiting=3)


def sent(book: JobBook, name: str = "a.pdf", **options: str):
    arrived = book.arriving()
    (arrived / DOCUMENT).write_bytes(b"%PDF")
    return book.accept(arrived, name, options)


def test_jobs_are_done_in_the_order_in_which_they_came(book):
    first, second = sent(book, "one"), sent(book, "two")
    begun = [book.next(0.0) for _ in range(3)]
    assert [job and (job.id, job.status) for job in begun] == [(first.id, "running"), (second.id, "running"), None]


def test_a_book_that_is_opened_again_has_every_job_and_begins_again_what_had_not_ended(book):
    done, broken, waiting = sent(book, "done"), sent(book, "broken"), sent(book, "waiting", lang="de")
    book.next(0.0)
    book.update(done.id, status="ok", ended=1.0, pages=2, pages_done=2)
    book.next(0.0)
    book.update(broken.id, pages_done=1)
    again = JobBook(book.spool, most_waiting=3)
    assert {job.name: (job.status, job.pages_done) for job in again.all()} == {
        "done": ("ok", 2),
        "broken": ("queued", 0),
        "waiting": ("queued", 0),
    }
    assert [again.next(0.0).id, again.next(0.0).id] == [broken.id, waiting.id]
    assert again.get(waiting.id).options == {"lang": "de"}


def test_a_half_upload_is_gone_when_the_book_is_opened_again(book):
    arrived = book.arriving()
    (arrived / DOCUMENT).write_bytes(b"%PD")
    assert JobBook(book.spool, most_waiting=3).all() == []
    assert list(book.spool.iterdir()) == []


def test_a_book_with_as_many_jobs_as_may_wait_takes_no_more(book):
    for _ in range(3):
        sent(book)
    with pytest.raises(FullError):
        book.arriving()
    book.next(0.0)
    assert book.arriving().is_dir()


def test_what_was_broken_off_comes_before_what_waits(book):
    first = sent(book, "first")
    sent(book, "second")
    book.next(0.0)
    book.back(first.id)
    assert book.next(0.0).id == first.id


def test_a_removed_job_leaves_nothing_and_one_in_work_is_not_removed(book):
    job, running = sent(book), sent(book)
    assert book.remove(job.id)
    assert not (book.spool / job.id).exists()
    assert book.next(0.0).id == running.id
    assert not book.remove(running.id)


def test_jobs_are_kept_for_a_while_after_their_end(book):
    old, young, waiting = sent(book), sent(book), sent(book)
    book.update(old.id, status="ok", ended=10.0)
    book.update(young.id, status="failed", ended=30.0)
    book.remove_older(20.0)
    assert {job.id for job in book.all()} == {young.id, waiting.id}


def test_the_files_of_a_job_are_those_below_its_output_and_no_links(book, tmp_path):
    job = sent(book)
    out = book.folder(job) / OUT
    (out / "images").mkdir(parents=True)
    (out / "document.md").write_text("four")
    (out / "images/page-0001-figure-1.png").write_bytes(b"png")
    (out / ".docparse-fast.sha256").write_text("ours")
    (tmp_path / "secret").write_text("secret")
    (out / "page-0001.md").symlink_to(tmp_path / "secret")
    assert dict(book.files(job)) == {"document.md": 4, "images/page-0001-figure-1.png": 3}


def test_a_folder_that_is_no_job_stays_and_is_none(book):
    (book.spool / "somebody's").mkdir()
    assert JobBook(book.spool, most_waiting=3).all() == []
    assert (book.spool / "somebody's").is_dir()
