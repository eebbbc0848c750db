import type { ServiceCommand } from './systemd-unit.ts';

export const agentLabel = 'lanyard.agent';

/**
 * The launch agent that starts the broker at login (launchd.plist(5)). It restarts the broker only after a failure, at
 * most once a minute: launchd can’t tell a broker that found another one from one that crashed. Its log is that of a
 * broker that a helper started; it has no secrets.
 */
export function launchdPlist({ command, home, log }: ServiceCommand & { log: string }): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${agentLabel}</string>
  ${programArguments(command)}
${
  home === null
    ? ''
    : `  <key>EnvironmentVariables</key>
  <dict>
    <key>LANYARD_HOME</key>
    <string>${escaped(home)}</string>
  </dict>
`
}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>60</integer>
  <key>ExitTimeOut</key>
  <integer>20</integer>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>Umask</key>
  <integer>63</integer>
  <key>ProcessType</key>
  <string>Adaptive</string>
  <key>StandardErrorPath</key>
  <string>${escaped(log)}</string>
</dict>
</plist>
`;
}

function programArguments(command: readonly string[]): string {
  const words = command.map((word) => `    <string>${escaped(word)}</string>\n`);
  return `<key>ProgramArguments</key>\n  <array>\n${words.join('')}  </array>`;
}

const writtenArguments =
  /<key>ProgramArguments<\/key>\n {2}<array>\n(?<words>(?: {4}<string>[^<]*<\/string>\n)*) {2}<\/array>/;

/** The command in a text of `launchdPlist`; null: it is none of these. */
export function readCommand(plist: string): string[] | null {
  const { words } = writtenArguments.exec(plist)?.groups ?? {};
  const found = words?.matchAll(/<string>([^<]*)<\/string>/g);
  return found ? Array.from(found, ([, word = '']) => unescaped(word)) : null;
}

/** The same text with another command. */
export function withCommand(plist: string, command: readonly string[]): string {
  return plist.replace(writtenArguments, () => programArguments(command));
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** Escapes XML character data. Characters that XML 1.0 can’t represent (section 2.2) are rejected before. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
