"""Makes the calls of calls.json with the generated Python clients.

usage: calls.py CALLS WRITER_URL WORKER_URL
"""

import importlib
import inspect
import json
import re
import sys
import time

PATIENCE_SECONDS = 60
services = {}
saved = {}


def snake(name):
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).replace("-", "_").lower()


def connect(service, url):
    client = importlib.import_module(service + "_client")
    services[service] = (client, client.ApiClient(client.Configuration(host=url)))


def method(call):
    service, name = call.split(".")
    module, client = services[service]
    for api in ("RowsApi", "DefinitionsApi", "ServiceApi", "IndexesApi", "SourcesApi"):
        found = getattr(getattr(module, api)(client), snake(name), None) if hasattr(module, api) else None
        if found is not None:
            return found
    raise LookupError("no client has " + call)


def arguments(found, given):
    names = inspect.signature(found).parameters
    body = next((name for name in names if name == "body" or name.endswith("_request")), "body")
    return {body if name == "body" else snake(name): saved.get(value, value) if isinstance(value, str) else value
            for name, value in given.items()}


def at(value, pointer):
    for part in pointer.split("/")[1:]:
        value = value[int(part) if isinstance(value, list) else part]
    return value


def text(answer):
    return bytes(answer).decode("latin-1") if isinstance(answer, (bytes, bytearray)) else str(answer)


def first_event(found, given):
    answer = getattr(found.__self__, found.__name__ + "_without_preload_content")(**given, _request_timeout=20)
    piece = b""
    while b"data:" not in piece:
        piece += answer.read(1)
    answer.close()
    return piece


def attempt(step):
    found = method(step["call"])
    given = arguments(found, step.get("with", {}))
    module = services[step["call"].split(".")[0]][0]
    try:
        answer = first_event(found, given) if step.get("stream") else found(**given, _request_timeout=30)
    except module.ApiException as problem:
        if problem.status != step.get("fails"):
            raise
        # Every error is a problem, which the client reads as one.
        assert problem.data.status == problem.status and problem.data.detail, problem
        return
    assert "fails" not in step, "was answered, and should fail"
    assert step.get("has", "") in text(answer), "has no " + step["has"]
    value = answer.to_dict() if hasattr(answer, "to_dict") else answer
    value = value if isinstance(value, (bytes, bytearray)) else json.loads(json.dumps(value, default=str))
    for pointer, wanted in step.get("then", {}).items():
        assert at(value, pointer) == saved.get(wanted, wanted), f"{pointer} is {at(value, pointer)}, not {wanted}"
    saved.update({"$" + name: at(value, pointer) for name, pointer in step.get("save", {}).items()})


def make(step):
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return attempt(step)
        except Exception as failure:
            if not step.get("until") or time.monotonic() > end:
                sys.exit(f"Python, {step['call']} {step.get('with', '')}: {type(failure).__name__}: {failure}")
            time.sleep(0.2)


calls, writer, worker = sys.argv[1:]
connect("writer", writer)
connect("worker", worker)
with open(calls, encoding="utf-8") as file:
    for step in json.loads(file.read().replace("$run", "python")):
        make(step)
