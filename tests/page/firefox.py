# SPDX-License-Identifier: MIT OR Apache-2.0
"""Opens a page in headless Firefox, through Marionette, which it brings: no error, and the wave is drawn.

    firefox.py PAGE
"""

import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path


class Marionette:
    """Messages are [0, number, command, parameters] and [1, number, error, result], each after its length."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.number = 0
        self.receive()
        self.send("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": False}}})

    def receive(self):
        length = b""
        while (byte := self.socket.recv(1)) != b":":
            assert byte, "Firefox has gone away"
            length += byte
        text = b""
        while len(text) < int(length):
            text += self.socket.recv(int(length) - len(text))
        return json.loads(text)

    def send(self, command, parameters):
        self.number += 1
        message = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(f"{len(message)}:".encode() + message)
        _, _, error, result = self.receive()
        assert error is None, f"{command}: {error}"
        return result

    def eval(self, script):
        return self.send("WebDriver:ExecuteScript", {"script": script, "args": [], "sandbox": None})["value"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def connected(firefox, port):
    for _ in range(300):
        assert firefox.poll() is None, f"Firefox ends with {firefox.returncode}"
        try:
            return Marionette(port)
        except OSError:
            time.sleep(0.2)
    raise AssertionError("Firefox does not answer")


def check(marionette, path):
    # Errors of the page's script stop it: what comes last in it is there only without any.
    marionette.send("WebDriver:Navigate", {"url": Path(path).resolve().as_uri()})
    marionette.eval("""
      const script = document.createElement('script');
      script.textContent = `{
        const { context, width, height, ratio } = wave.painter;
        wave.paint();
        const image = context.getImageData(0, 0, width * ratio, height * ratio).data;
        const seen = new Set();
        for (let at = 0; at < image.length; at += 4) seen.add(image[at] << 16 | image[at + 1] << 8 | image[at + 2]);
        document.body.dataset.state = JSON.stringify({ rows: document.querySelectorAll('#rows .row').length,
          text: $('op-head').textContent, colours: seen.size, cycle: wave.state.cursor, wrong: data.mismatch && data.mismatch.cycle,
          wide: document.documentElement.scrollWidth - document.documentElement.clientWidth });
      }`;
      document.head.append(script);
    """)
    # What the page's script declares only a script of the page sees.
    state = json.loads(marionette.eval("return document.body.dataset.state"))
    assert state["rows"] > 5 and state["text"].startswith("#"), state
    assert state["colours"] > 5, f"nothing is drawn: {state}"
    assert state["wrong"] is None or state["cycle"] == state["wrong"], state
    assert state["wide"] == 0, state
    print(f"{Path(path).name}: Firefox shows {state['rows']} rows")


def main():
    program = shutil.which("firefox-esr")
    assert program, "no firefox-esr: run `scripts/setup test`"
    with tempfile.TemporaryDirectory() as profile:
        port = free_port()
        Path(profile, "user.js").write_text(f'user_pref("marionette.port", {port});\nuser_pref("network.proxy.type", 1);\n'
                                            'user_pref("network.proxy.http", "127.0.0.1");\nuser_pref("network.proxy.http_port", 9);\n'
                                            'user_pref("browser.shell.checkDefaultBrowser", false);\n')
        firefox = subprocess.Popen([program, "--headless", "--marionette", "--no-remote", "--profile", profile],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            marionette = connected(firefox, port)
            for path in sys.argv[1:]:
                check(marionette, path)
        finally:
            firefox.terminate()
            firefox.wait(30)


main()
