import type { CallerChain, PeerIdentity, ProcessBrief, ProcessInfo } from '../../../ports/peer-identity.ts';

/** A process as macOS's kernel shows it to any user: its name has 16 bytes at most. */
interface MacProcess {
  pid: number;
  parentPid: number;
  /** p_comm. */
  name: string;
  /** getsid(2). */
  session: number;
  terminal: boolean;
  executable?: string;
}

/** A way to call on a Mac: its processes from the helper up, and what the user is to be shown. */
interface MacTerminal {
  where: string;
  /** Where these facts are from. */
  source: string;
  processes: readonly MacProcess[];
  shown: {
    lineage: readonly string[];
    parentName: string;
    leaderPid: number | null;
    origin: 'local' | 'ssh';
  };
}

const kubectl = '/opt/homebrew/bin/kubectl';

/** The helper, kubectl and what called it, in one session. */
function call(above: number, session: number, terminal = true): MacProcess[] {
  return [
    { pid: 900, parentPid: 890, name: 'lanyard', session, terminal, executable: '/Users/a/bin/lanyard' },
    { pid: 890, parentPid: above, name: 'kubectl', session, terminal, executable: kubectl },
  ];
}

function zsh(pid: number, parentPid: number, session: number): MacProcess {
  return { pid, parentPid, name: 'zsh', session, terminal: true, executable: '/bin/zsh' };
}

/** Root's: most of proc_pidinfo(3) gives EPERM for it, KERN_PROC_PID doesn't. It leads the session of its terminal. */
function login(pid: number, parentPid: number): MacProcess {
  return { pid, parentPid, name: 'login', session: pid, terminal: true, executable: '/usr/bin/login' };
}

/** Of an app, in launchd's session: its line of `ps` has no “s”. */
function app(pid: number, parentPid: number, executable: string): MacProcess {
  const name = executable.split('/').at(-1)?.slice(0, 16) ?? '';
  return { pid, parentPid, name, session: 1, terminal: false, executable };
}

const code = '/Applications/Visual Studio Code.app/Contents';
const codeHelper = (kind: string) =>
  `${code}/Frameworks/Code Helper${kind}.app/Contents/MacOS/Code Helper${kind}`;

export const macTerminals: readonly MacTerminal[] = [
  {
    where: 'Terminal.app',
    source:
      'Apple’s login/login.c (system_cmds): login forks, becomes the shell in the child and waits for it; hishamhm/htop issue 393: ps leads from the shell to root’s login',
    processes: [
      ...call(751, 750),
      zsh(751, 750, 750),
      login(750, 700),
      app(700, 1, '/System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal'),
    ],
    shown: {
      lineage: ['kubectl', 'zsh', 'login', 'Terminal'],
      parentName: 'zsh',
      leaderPid: 750,
      origin: 'local',
    },
  },
  {
    where: 'iTerm2 that restores its sessions',
    source:
      'fastfetch-cli/fastfetch issue 984 (ps: root’s login -fpl of ShellLauncher under one server, zsh below); StackOneHQ/stack-nudge pull request 116 (iTermServer-VERSION, launchd’s child)',
    processes: [
      ...call(751, 750),
      zsh(751, 750, 750),
      login(750, 749),
      app(749, 1, '/Users/a/Library/Application Support/iTerm2/iTermServer-3.6.11'),
    ],
    shown: {
      lineage: ['kubectl', 'zsh', 'login', 'iTermServer-3.6.11'],
      parentName: 'zsh',
      leaderPid: 750,
      origin: 'local',
    },
  },
  {
    where: 'a terminal that runs the shell itself, as VS Code’s',
    source:
      'microsoft/node-pty src/unix/spawn-helper.cc: setsid, then it becomes the shell; zed-industries/zed issue 21957: VS Code’s has no login; fastfetch-cli/fastfetch issue 984: the names of VS Code’s processes',
    processes: [
      ...call(610, 610),
      zsh(610, 600, 610),
      app(600, 590, codeHelper('')),
      app(590, 1, `${code}/MacOS/Electron`),
    ],
    shown: {
      lineage: ['kubectl', 'zsh', 'Code Helper', 'Electron'],
      parentName: 'zsh',
      leaderPid: 610,
      origin: 'local',
    },
  },
  {
    where: 'an extension of VS Code, without a terminal',
    source:
      'fastfetch-cli/fastfetch issue 984 (names and parents); microsoft/vscode issue 40330 (ps: an app’s helper leads no session, a service does); bsd/sys/param.h of XNU: MAXCOMLEN is 16',
    processes: [
      ...call(605, 1, false),
      app(605, 590, codeHelper(' (Plugin)')),
      app(590, 1, `${code}/MacOS/Electron`),
      { pid: 1, parentPid: 0, name: 'launchd', session: 1, terminal: false, executable: '/sbin/launchd' },
    ],
    shown: {
      lineage: ['kubectl', 'Code Helper (Plugin)', 'Electron'],
      parentName: 'Code Helper (Plugin)',
      leaderPid: null,
      origin: 'local',
    },
  },
  {
    where: 'tmux',
    source:
      'tmux/tmux server.c and proc.c (the server becomes a daemon: launchd’s child) and spawn.c (forkpty: the shell leads its session)',
    processes: [
      ...call(510, 510),
      zsh(510, 500, 510),
      {
        ...{ pid: 500, parentPid: 1, name: 'tmux', session: 500, terminal: false },
        executable: '/opt/homebrew/bin/tmux',
      },
    ],
    shown: { lineage: ['kubectl', 'zsh', 'tmux'], parentName: 'zsh', leaderPid: 510, origin: 'local' },
  },
  ...['sshd', 'sshd-session'].map(
    (name): MacTerminal => ({
      where: `SSH, of ${name}`,
      source:
        'OpenSSH’s session.c (do_exec_pty: the shell leads its session) and release notes of 9.8 (sshd-session); elastic/detection-rules pull request 6747 (it is macOS’s, too); launchd starts it (com.openssh.sshd)',
      processes: [
        ...call(420, 420),
        zsh(420, 410, 420),
        { pid: 410, parentPid: 400, name, session: 400, terminal: false },
        { pid: 400, parentPid: 1, name, session: 400, terminal: false },
      ],
      shown: { lineage: ['kubectl', 'zsh', name, name], parentName: 'zsh', leaderPid: 420, origin: 'ssh' },
    }),
  ),
];

/** The system's answers for these processes, as the addon gives them (native-helper/native). */
export function identityOf(processes: readonly MacProcess[]): PeerIdentity {
  const process = (pid: number): ProcessInfo | null => {
    const found = processes.find((each) => each.pid === pid);
    return found
      ? {
          ...{ pid, parentPid: found.parentPid, startTime: `1795000000.${pid}`, name: found.name },
          ...{ sessionLeaderPid: found.session, hasTerminal: found.terminal },
          ...{ executable: found.executable ?? null, executableId: null, pidNamespace: null },
        }
      : null;
  };
  const brief = (pid: number): ProcessBrief | null => process(pid);
  return {
    process,
    brief,
    chain(helperPid): CallerChain | null {
      const helper = brief(helperPid);
      const parent = helper && process(helper.parentPid);
      return (
        helper && {
          ...{ helper, parent, sure: true },
          above: parent && brief(parent.parentPid),
          sessionLeader: parent && brief(parent.sessionLeaderPid),
        }
      );
    },
    peer: () => ({ uid: 501, pid: 900 }),
    ownUid: () => 501,
    ownPid: () => 300,
  };
}
