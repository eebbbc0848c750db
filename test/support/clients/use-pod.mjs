// What a program does with a pod by the Kubernetes client for JavaScript; see README.md for what it reads and prints.
import { PassThrough, Readable } from 'node:stream';

const [context, library, port] = process.argv.slice(2);
const { CoreV1Api, Exec, KubeConfig, Log, PortForward, Watch } = await import(library);

const config = new KubeConfig();
config.loadFromFile(process.env['KUBECONFIG']);
config.setCurrentContext(context);

async function watched() {
  let controller;
  const name = await new Promise((resolve, reject) => {
    new Watch(config)
      .watch('/api/v1/namespaces/default/pods', {}, (_, { metadata }) => resolve(metadata.name), reject)
      .then((begun) => {
        controller = begun;
      }, reject);
  });
  controller?.abort();
  return name;
}

async function executed() {
  const command = ['sh', '-c', 'read line; echo got $line; exit 3'];
  const out = new PassThrough();
  const input = Readable.from(['hello\n']);
  const parts = [];
  out.on('data', (part) => parts.push(part));
  const status = await new Promise((resolve, reject) => {
    new Exec(config)
      .exec('default', 'web', 'app', command, out, new PassThrough(), input, false, resolve)
      .catch(reject);
  });
  const { message } = status.details.causes.find(({ reason }) => reason === 'ExitCode');
  return { executed: Buffer.concat(parts).toString().trim(), exitCode: Number(message) };
}

/** Until `end` is in what came. */
async function textUntil(stream, end) {
  let text = '';
  for await (const part of stream) {
    text += part;
    if (text.includes(end)) {
      return text;
    }
  }
  return text;
}

async function logged() {
  const out = new PassThrough();
  // Not aborted: the library has no listener for the error that this is. It ends with the process.
  await new Log(config).log('default', 'web', 'app', out, { follow: true });
  return (await textUntil(out, '\n')).split('\n')[0];
}

async function forwarded() {
  const [out, input] = [new PassThrough(), new PassThrough()];
  input.write('hello');
  const socket = await new PortForward(config).portForward(
    'default',
    'web',
    [Number(port)],
    out,
    null,
    input,
  );
  const text = await textUntil(out, '!');
  socket.close();
  return text;
}

const { items } = await config.makeApiClient(CoreV1Api).listNamespacedPod({ namespace: 'default' });
const names = items.map(({ metadata }) => metadata.name);
const found = {
  names,
  watched: await watched(),
  ...(await executed()),
  logged: await logged(),
  forwarded: await forwarded(),
};
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit(0));
