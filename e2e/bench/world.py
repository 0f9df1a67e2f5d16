"""A throwaway home and project, with `policy` installed for one host, in which the host is run."""
import json, os, shlex, shutil, stat, subprocess, sys, tempfile

from . import calls, hosts, sandbox
from .model import Model

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.join(HERE, "..", "project")


class World:
    """`with World(...)`; the folder goes when it is left, and everything that was started in it."""

    def __init__(self, host, version, program, policy):
        self.host, self.version, self.program, self.policy = host, version, program, policy
        self.trusted, self.proxied, self.port = True, False, 0

    def __enter__(self):
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="e2e-"))
        self.home, self.project, self.outside, self.served, self.calls, self.bin = (
            f"{self.top}/{name}" for name in ("home", "project", "outside", "served", "calls", "bin"))
        for folder in (self.home, self.outside, self.served, self.calls, self.bin):
            os.makedirs(folder)
        shutil.copytree(PROJECT, self.project)
        self.env = sandbox.base_env(self.home)
        self.env["PATH"] = f"{self.bin}:{self.env['PATH']}"
        os.makedirs(self.env["TMPDIR"])
        subprocess.run(["git", "init", "-q", self.project], env=self.env, check=True, timeout=20)
        self.place(self.policy)
        return self

    def __exit__(self, *_):
        sandbox.end_children()
        shutil.rmtree(self.top, ignore_errors=True)

    @property
    def has_mcp(self):
        return self.host in calls.MCP

    @property
    def command(self):
        """Where the host finds `policy`: first in PATH. What is installed may also name this very file."""
        return f"{self.bin}/policy"

    def place(self, program):
        """Puts the program itself there, so that what it takes for its own path stays when something else takes its place."""
        self.remove()
        try:
            os.link(program, self.command)
        except OSError:
            shutil.copy(program, self.command)

    def remove(self):
        if os.path.lexists(self.command):
            os.unlink(self.command)

    def record(self, *argv):
        """From now on a recorder stands there, that runs `argv` with the arguments of the call."""
        self.remove()
        words = [sys.executable, "-IS", f"{HERE}/recorder.py", self.calls, *argv]
        self.script(self.command, f"#!/bin/sh\nexec {shlex.join(words)} \"$@\"\n")

    def stub(self, text):
        """What stands for a `policy` that fails; `REAL` in its text is the real one."""
        path = f"{self.top}/stub"
        self.script(path, text.replace("REAL", shlex.quote(self.policy)))
        self.record(path)

    @staticmethod
    def script(path, text):
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def run_policy(self, *argv):
        """`policy ARGV...`, as the person at this machine would run it: (exit, output, errors)."""
        done = subprocess.run([self.policy, *argv], env=self.env, cwd=self.project, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def install(self, *words):
        """`policy install WORDS...` in the project."""
        done = subprocess.run([self.command, "install", *words], env=self.env, cwd=self.project, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=60)
        if done.returncode != 0:
            raise RuntimeError(f"`policy install {' '.join(words)}` ended with {done.returncode}:\n{done.stdout}{done.stderr}")

    def play(self, wanted, seconds=90):
        """Runs the host with one call a turn, and says what happened."""
        places = {"OUTSIDE": self.outside, "PROJECT": self.project}
        turns = [[calls.translate(calls.with_places(call, places), self.host, self.project)] for call in wanted]
        model = Model(turns, self.port)
        self.port = model.port  # the host's settings are written once
        server = [sys.executable, f"{HERE}/demo_server.py", self.served]
        if self.proxied:
            server = [self.policy, "mcp", "--server", "demo", "--", *server]
        servers = {"demo": server} if self.has_mcp else {}
        try:
            launch = hosts.HOSTS[self.host](hosts.Place(self.program, self.home, self.project, model.port, self.trusted, servers))
            code, out, err, timed_out = sandbox.run(launch.argv, {**self.env, **launch.env}, self.project, seconds)
        finally:
            model.close()
        return Played(code, out, err, timed_out, model.turns_asked, model.model_saw)

    def hook_calls(self):
        return [json.loads(hosts.read(f"{self.calls}/{f}")) for f in sorted(os.listdir(self.calls)) if f.endswith(".json")]


class Played:
    """One run of a host."""

    def __init__(self, code, out, err, timed_out, asked, saw):
        self.code, self.out, self.err, self.timed_out, self.saw = code, out, err, timed_out, saw
        # How many turns the model was asked for: after the last of them, the host came back no more.
        self.asked = asked
