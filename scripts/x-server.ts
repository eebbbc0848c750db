import { spawn } from 'node:child_process';

/** A virtual X server. */
export interface XServer {
  /** For DISPLAY. */
  display: string;
  end(): void;
}

/** Throws where it doesn’t start. */
export async function startXServer(): Promise<XServer> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    server.stdio[3]?.once('data', (data) => resolve(String(data).trim()));
    server.once('error', reject);
    server.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
  });
  return { display: `:${number}`, end: () => server.kill() };
}
