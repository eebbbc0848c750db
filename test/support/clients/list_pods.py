"""The Kubernetes client for Python as a program uses it; see README.md for what it reads and prints."""

import json
import logging
import sys

from kubernetes import client, config
from kubernetes.client.exceptions import ApiException

logging.basicConfig(stream=sys.stderr, level=logging.ERROR, format="%(message)s")


def answer(api):
    try:
        pods = api.list_namespaced_pod("default")
        return {"ok": True, "names": [pod.metadata.name for pod in pods.items]}
    except ApiException as error:
        return {"ok": False, "status": error.status, "message": str(error.reason)}
    except Exception as error:
        return {"ok": False, "message": f"{type(error).__name__}: {error}"}


def main():
    api = None
    for line in sys.stdin:
        if api is None or line.strip() == "reload":
            api = client.CoreV1Api(config.new_client_from_config(context=sys.argv[1]))
        print(json.dumps(answer(api)), flush=True)


main()
