"""Stands where the host expects `policy`: runs a program, passes everything through as it comes, and writes down that it was called.

  recorder.py FOLDER PROGRAM [ARGUMENT...]

One file a call, FOLDER/<time>-<pid>.json, written before the program starts and again when it ends: one that is killed leaves its trace
too. A program that dies by a signal takes the recorder with it by the same signal, so that the host sees what it would have seen.
"""
import ctypes, json, os, signal, subprocess, sys, threading, time


def main(folder, *argv):
    raw = sys.stdin.buffer.read()
    file = os.path.join(folder, f"{time.time_ns()}-{os.getpid()}.json")
    record = {"argv": argv[1:], "stdin": raw.decode("utf-8", "replace"), "stdout": "", "stderr": "", "exit": None, "ms": None}
    save(file, record)
    started = time.monotonic()
    child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=die_with_parent)

    def ended(code):
        record["exit"], record["ms"] = code, round((time.monotonic() - started) * 1000)
        save(file, record)

    def on_signal(number, _frame):
        child.kill()
        ended(f"the host sent {signal.Signals(number).name}")
        die(number)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, on_signal)

    pumps = [threading.Thread(target=feed, args=(child.stdin, raw), daemon=True),
             threading.Thread(target=pump, args=(child.stdout, sys.stdout.buffer, record, "stdout"), daemon=True),
             threading.Thread(target=pump, args=(child.stderr, sys.stderr.buffer, record, "stderr"), daemon=True)]
    for p in pumps:
        p.start()
    code = child.wait()
    for p in pumps[1:]:
        p.join(2)
    if code >= 0:
        ended(code)
        return code
    ended(signal.Signals(-code).name)
    die(-code)


def feed(stdin, raw):
    try:
        stdin.write(raw)
        stdin.close()
    except OSError:
        pass  # the program did not want its input


def pump(source, target, record, key):
    while chunk := source.read1(65536):
        record[key] += chunk.decode("utf-8", "replace")
        try:
            target.write(chunk)
            target.flush()
        except OSError:
            pass  # the host has stopped listening


def save(file, record):
    with open(file + ".part", "w") as f:
        json.dump(record, f)
    os.replace(file + ".part", file)


def die(number):
    if number not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


if __name__ == "__main__":
    code = main(*sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)
