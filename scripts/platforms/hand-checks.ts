/** What docs/platforms says has still to be seen, and no test can look at. */
const checks: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    'From Terminal, iTerm2, VS Code and over SSH: `lanyard audit` names the right program and terminal',
    'Opened from the disk image, the app offers to move to Applications, and writes nothing before that',
    'After an update, macOS asks at most once for the keychain',
    'At a question of `lanyard login`, Ctrl-C brings the echo back, and the processor stays idle meanwhile',
    'A plugin that asks at the terminal ends when the window is closed',
    'The dock shows Lanyard only while one of its windows is open',
    'Touch ID unlocks, and a wrong finger says what to do',
  ],
  win32: [
    'In Windows Terminal, cmd and PowerShell: `lanyard confirm` asks, and `lanyard audit` names the right program',
    'At a hidden prompt, Ctrl-C brings the echo back',
    'kubectl as administrator is answered by a broker that isn’t, and the other way round',
    'No console window flashes as a plugin runs in the background',
    'A second start of `lanyard agent` says that an agent already runs',
    '`lanyard login` opens the page in your usual browser',
    'Windows Hello unlocks',
    'An update by the installer, while kubectl runs',
  ],
};

export function handChecks(platform: NodeJS.Platform): readonly string[] {
  return checks[platform] ?? [];
}
