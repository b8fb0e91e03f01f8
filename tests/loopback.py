"""A local server that answers as a test specifies, for tests of downloads."""

import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def serving():
    """Run a server whose `answers` are functions of the request handler, one per request; the last one is repeated."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.asked.append(dict(self.headers))
            self.server.paths.append(self.path)
            answers = self.server.answers
            (answers.pop(0) if len(answers) > 1 else answers[0])(self)

        def log_message(self, *_):
            pass

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_):
            pass  # some of these tests are about a client that disconnects

    made = Quiet(("127.0.0.1", 0), Handler)
    made.daemon_threads = True
    made.answers, made.asked, made.paths = [], [], []
    made.url = f"http://127.0.0.1:{made.server_port}/table.csv"
    thread = threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()


def answer(status=200, body=b"", length=None, **headers):
    """Return an answer with this status, body and headers; `length` overrides Content-Length."""

    def send(handler):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body) if length is None else length))
        handler.end_headers()
        handler.wfile.write(body)

    return send


def hang_up(handler):
    """Close the connection without an answer."""
    handler.connection.close()


def sleep(handler):
    """Wait without answering for as long as a test may wait."""
    time.sleep(60)
