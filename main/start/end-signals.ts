/**
 * The signals that end a broker in order. On Windows Node makes SIGINT of a Ctrl-C, SIGBREAK of a Ctrl-Break and SIGHUP
 * of a console that is closed, where 10 s are left; nothing sends SIGTERM there, `process.kill` ends at once (Node’s
 * process.md, “Signal events”).
 */
export function endSignals(platform: string): NodeJS.Signals[] {
  const usual: NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'];
  return platform === 'win32' ? [...usual, 'SIGBREAK'] : usual;
}
