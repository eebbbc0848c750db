import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { until } from '../../support/stage.ts';

/** nginx in front of a server: it ends TLS and encrypts again, as the request proxy does. */
export interface Nginx extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** On PATH, where Debian installs it, or where `scripts/setup.sh test` puts it; null: it isn’t here. */
export function findNginx(): string | null {
  const fetched = join(import.meta.dirname, '..', '..', '..', '.cache', 'tools', 'nginx');
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return (
    [...folders.map((folder) => join(folder, 'nginx')), fetched].find((each) => existsSync(each)) ?? null
  );
}

/** One process, which passes on as it reads. `certificate` and `key`: PEM; `port`: the server’s. */
export async function startNginx(
  program: string,
  { certificate, key, port: upstream }: { certificate: string; key: string; port: number },
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-nginx-'));
  const port = await freePort();
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const config = `
    daemon off; master_process off; worker_processes 1; pid ${folder}/pid; error_log stderr crit;
    events { worker_connections 4096; }
    http {
      access_log off; sendfile off; tcp_nodelay on; client_max_body_size 0; keepalive_requests 10000000;
      ${paths.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      upstream server { server 127.0.0.1:${upstream}; keepalive 64; keepalive_requests 10000000; }
      server {
        listen 127.0.0.1:${port} ssl http2;
        ssl_certificate ${write('certificate.pem', certificate)}; ssl_certificate_key ${write('key.pem', key)};
        location / {
          proxy_pass https://server; proxy_http_version 1.1; proxy_set_header Connection "";
          proxy_buffering off; proxy_request_buffering off; proxy_read_timeout 1h;
          proxy_buffer_size 64k; proxy_buffers 8 64k; client_body_buffer_size 64k;
        }
      }
    }`;
  const child = spawn(program, ['-p', folder, '-e', 'stderr', '-c', write('nginx.conf', config)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const dispose = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until(() => answers(port), 'nginx');
  } catch (error) {
    await dispose();
    throw error;
  }
  return { port, pid: child.pid ?? 0, [Symbol.asyncDispose]: dispose };
}

/** nginx can’t say which port it got. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function answers(port: number): Promise<true | null> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(null));
  });
}
