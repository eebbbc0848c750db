"""What a program does with a pod by the Kubernetes client for Python; see README.md for what it reads and prints."""

import json
import sys

from kubernetes import client, config, watch
from kubernetes.stream import portforward, stream


def executed(api):
    command = ["sh", "-c", "read line; echo got $line; exit 3"]
    session = stream(
        api.connect_get_namespaced_pod_exec,
        "web",
        "default",
        command=command,
        stdin=True,
        stdout=True,
        stderr=True,
        tty=False,
        _preload_content=False,
    )
    session.write_stdin("hello\n")
    session.run_forever(timeout=30)
    return session.read_stdout().strip(), session.returncode


def logged(api):
    answer = api.read_namespaced_pod_log("web", "default", follow=True, _preload_content=False)
    line = answer.readline().decode().strip()
    answer.close()
    return line


def forwarded(api, port):
    forward = portforward(
        api.connect_get_namespaced_pod_portforward, "web", "default", ports=str(port)
    )
    socket = forward.socket(port)
    socket.sendall(b"hello")
    text = b""
    while b"!" not in text:
        text += socket.recv(100)
    socket.close()
    return text.decode()


def main():
    configuration = client.Configuration()
    config.load_kube_config(context=sys.argv[1], client_configuration=configuration)
    api = client.CoreV1Api(client.ApiClient(configuration))
    names = [pod.metadata.name for pod in api.list_namespaced_pod("default").items]
    watching = watch.Watch()
    watched = None
    for event in watching.stream(api.list_namespaced_pod, "default"):
        watched = event["object"].metadata.name
        watching.stop()
    line, code = executed(api)
    print(
        json.dumps(
            {
                "names": names,
                "watched": watched,
                "executed": line,
                "exitCode": code,
                "logged": logged(api),
                "forwarded": forwarded(api, int(sys.argv[2])),
            }
        )
    )


main()
