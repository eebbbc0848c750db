/**
 * The environment without the variables that change how Node, Electron and Chromium run. Fuses protect an installed
 * app's own process. The processes it starts need this, and so does an app that runs from the sources, which has no
 * fuses.
 */
export function appEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !bends(name)));
}

/** Removes them from the environment of this process. */
export function clearOwnEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env).filter(bends)) {
    delete env[name];
  }
}

function bends(name: string): boolean {
  return /^(ELECTRON_|NODE_|CHROME_DEVEL_SANDBOX$)/i.test(name) && name !== 'NODE_EXTRA_CA_CERTS';
}
