import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { createServer } from 'vite';
import { toBroker } from './dev-broker-proxy.ts';
import { devHome, repository } from './dev-home.ts';

const usage = `Usage: npm run dev [-- [--broker | --mine] [--port PORT]]

Serves the page on loopback, and brings each change of it into the open page at once.

  (none)    on sample data: ?sample=STATE shows one of the states of renderer/sample/sample-states.ts
  --broker  on the broker that npm run dev:agent runs, or that of LANYARD_HOME
  --mine    on your own broker
  --port    5173 unless told otherwise; 0: any that is free
  --help    this
`;

const { values: flags } = parseArgs({
  options: {
    broker: { type: 'boolean' },
    mine: { type: 'boolean' },
    port: { type: 'string', default: '5173' },
    help: { type: 'boolean' },
  },
});
const loopback = '127.0.0.1';
/** As renderer/dev/dev-broker.ts asks for it. */
const brokerPath = '/dev-broker';

/** The address that lets a page into the broker: good once, for a minute. */
async function brokerAddress(): Promise<URL> {
  const env = flags.mine ? process.env : { LANYARD_HOME: devHome, ...process.env };
  const helper = join(repository, 'dist', 'bin', process.platform === 'win32' ? 'lanyard.exe' : 'lanyard');
  const { stdout } = await promisify(execFile)(helper, ['ui', '--no-open'], { env });
  return new URL(stdout.trim());
}

/** Null: it is not a port. */
function parsePort(text: string): number | null {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null;
}

async function serve(wantedPort: number): Promise<void> {
  const broker = flags.broker || flags.mine ? await brokerAddress() : null;
  let host = '';
  const server = await createServer({
    configFile: join(repository, 'renderer', 'vite.config.ts'),
    server: {
      host: loopback,
      port: wantedPort,
      strictPort: wantedPort !== 0,
      proxy: broker ? { [brokerPath]: toBroker(broker, () => host) } : {},
    },
  });
  await server.listen();
  const address = server.httpServer?.address();
  host = `${loopback}:${typeof address === 'object' && address ? address.port : wantedPort}`;
  const pageOf = (next: URL) => `http://${host}/?broker=${next.host}${next.hash}`;
  if (!broker) {
    console.log(`http://${host}/?sample=usual`);
    return;
  }
  console.log(`${pageOf(broker)}\nOne-time link, valid for 1 minute. Enter: another.`);
  createInterface({ input: process.stdin }).on('line', () => {
    brokerAddress().then(
      (next) => console.log(pageOf(next)),
      (error: Error) => console.error(error.message),
    );
  });
}

const port = parsePort(flags.port);
if (flags.help) {
  process.stdout.write(usage);
} else if (port === null) {
  console.error(`--port: “${flags.port}” is not a port: give a number from 0 to 65535`);
  process.exitCode = 2;
} else {
  await serve(port).catch((error: Error & { stderr?: string }) => {
    // What the helper said of a broker that isn’t there says more than that it failed.
    console.error(error.stderr?.trim() || error.message);
    if (flags.broker) {
      console.error('npm run dev:agent runs one in that home.');
    }
    process.exit(1);
  });
}
