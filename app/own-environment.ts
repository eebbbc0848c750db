/**
 * The environment without what bends Node, Electron and Chromium to another purpose. An installed app's fuses keep it
 * from its own process; what the app starts must not get it either, and an app from the sources has no fuses.
 */
export function appEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !bends(name)));
}

/** The same in place: for a process that has begun. */
export function clearOwnEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env).filter(bends)) {
    delete env[name];
  }
}

function bends(name: string): boolean {
  return /^(ELECTRON_|NODE_|CHROME_DEVEL_SANDBOX$)/i.test(name) && name !== 'NODE_EXTRA_CA_CERTS';
}
