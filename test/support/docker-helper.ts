import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { builtHelper, type TestHome } from './home.ts';
import { type Ended, run } from './processes.ts';

/** docker’s credential helper, as docker finds it: by its name in a folder of PATH. */
export interface DockerHelper {
  /** The folder that it is in. */
  readonly folder: string;
  /** Runs it as docker does. */
  call(action: string, input?: string): Promise<Ended>;
  store(serverUrl: string, userName: string, secret: string): Promise<Ended>;
  /** What is stored, as `userName:secret`; null: nothing. Throws where it is anything else. */
  get(serverUrl: string): Promise<string | null>;
}

/** Links it into a folder beside the home. */
export function linkDockerHelper(home: TestHome): DockerHelper {
  const folder = join(home.outside, 'helpers');
  mkdirSync(folder);
  const program = join(folder, 'docker-credential-lanyard');
  symlinkSync(builtHelper, program);
  const call = (action: string, input = '') => run(program, [action], { env: home.env, input });
  return {
    folder,
    call,
    store: (serverUrl, userName, secret) =>
      call('store', JSON.stringify({ ServerURL: serverUrl, Username: userName, Secret: secret })),
    get: async (serverUrl) => {
      const { code, stdout, stderr } = await call('get', serverUrl);
      if (code === 0) {
        const { Username, Secret } = JSON.parse(stdout);
        return `${Username}:${Secret}`;
      }
      if (stdout !== 'credentials not found in native keychain\n') {
        throw new Error(`${code}: ${stdout}${stderr}`);
      }
      return null;
    },
  };
}
