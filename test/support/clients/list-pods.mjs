// The Kubernetes client for JavaScript as a program uses it; see README.md for what it reads and prints.
import { createInterface } from 'node:readline';

const [context, library] = process.argv.slice(2);
// By its resolved address, from whoever looked whether it is installed.
const { CoreV1Api, KubeConfig } = await import(library);

function newClient() {
  const config = new KubeConfig();
  config.loadFromFile(process.env['KUBECONFIG']);
  config.setCurrentContext(context);
  return config.makeApiClient(CoreV1Api);
}

async function list(api) {
  try {
    const { items } = await api.listNamespacedPod({ namespace: 'default' });
    return { ok: true, names: items.map((pod) => pod.metadata.name) };
  } catch (error) {
    return { ok: false, status: error.code, message: error.message };
  }
}

let api = null;
for await (const line of createInterface({ input: process.stdin })) {
  if (api === null || line === 'reload') {
    api = newClient();
  }
  process.stdout.write(`${JSON.stringify(await list(api))}\n`);
}
