import { join } from 'node:path';
import { type Running, start } from '../processes.ts';

/** One JVM with Keycloak, as small and as quick to start as it goes. */
const javaOptions = [
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Xms64m',
  '-Xmx512m',
  '-XX:MaxMetaspaceSize=256m',
  '-Dfile.encoding=UTF-8',
  '-Djava.net.preferIPv4Stack=true',
].join(' ');

const startMilliseconds = 180_000;

export interface Launch {
  folder: string;
  /** The file of its database, without `.mv.db`. */
  database: string;
  /** Password of the user `admin`, where the database is made by this start. */
  bootstrap?: string;
  options: readonly string[];
}

export interface Launched {
  /** Where it listens, by scheme. */
  origins: { http?: string; https?: string };
  log(): string;
  /** Ends it in order, so that its database is whole. */
  stop(): Promise<void>;
  dispose(): Promise<void>;
}

/** Starts what is built, and waits until it listens. Rejects with its log where it doesn't. */
export async function launchKeycloak({ folder, database, bootstrap, options }: Launch): Promise<Launched> {
  const url = `jdbc:h2:file:${database};NON_KEYWORDS=VALUE;DB_CLOSE_ON_EXIT=FALSE`;
  const running = start(
    'sh',
    [
      join(folder, 'bin', 'kc.sh'),
      'start',
      '--optimized',
      '--cache=local',
      '--hostname-strict=false',
      `--db-url=${url}`,
      ...options,
    ],
    {
      env: {
        JAVA_OPTS: javaOptions,
        ...(bootstrap !== undefined && {
          KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
          KC_BOOTSTRAP_ADMIN_PASSWORD: bootstrap,
        }),
      },
    },
  );
  running.closeInput();
  try {
    const [, said = ''] = await running.waitForLine(/Listening on: (.*)/, startMilliseconds);
    const at = (scheme: string) => new RegExp(`\\b${scheme}://127\\.0\\.0\\.1:\\d+`).exec(said)?.[0];
    const [http, https] = [at('http'), at('https')];
    return {
      origins: { ...(http !== undefined && { http }), ...(https !== undefined && { https }) },
      log: () => running.stdout() + running.stderr(),
      stop: () => stop(running),
      dispose: () => running.dispose(),
    };
  } catch (error) {
    await running.dispose();
    throw error;
  }
}

async function stop(running: Running): Promise<void> {
  running.kill('SIGTERM');
  await running.ended;
}
