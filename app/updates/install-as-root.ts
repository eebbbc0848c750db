import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, open } from 'node:fs/promises';
import { failures } from './failures.ts';
import type { PackageFile } from './manifest.ts';

/** The packages of Linux systems, which only root can install. */
export type RootKind = 'deb' | 'rpm';

/** Runs a program as root. `stdin`: a file's descriptor. Resolves with its exit code and the end of its stderr. */
export type RunAsRoot = (
  words: readonly [string, ...string[]],
  stdin: number,
) => Promise<{ code: number | null; said: string }>;

/** sysexits.h, EX_DATAERR: the input isn't the expected file. */
const otherFileCode = 65;

/**
 * The script that root runs: FORM DIGEST SIZE. The package arrives on stdin, so that root opens no path that others
 * can swap. Root checks it in a folder that only root can change. A check in the user's folder would be too early:
 * the password dialog, which takes time, comes between it and the installation.
 */
const script = `
set -eu
folder=$(mktemp -d /var/tmp/lanyard-update.XXXXXXXXXX)
trap 'rm -rf "$folder"' EXIT
file="$folder/lanyard.$1"
head -c "$3" >"$file"
printf '%s  %s\\n' "$2" "$file" | sha512sum --check --status - || exit ${otherFileCode}
exec </dev/null
has() { command -v "$1" >/dev/null 2>&1; }
case $1 in
deb)
  # What it needs and isn't there is fetched by apt.
  dpkg -i "$file" || apt-get install -f -y
  ;;
rpm)
  if has zypper; then
    zypper --non-interactive --no-refresh install --allow-unsigned-rpm -f "$file"
  elif has dnf; then
    dnf install --nogpgcheck -y "$file"
  elif has yum; then
    yum install --nogpgcheck -y "$file"
  else
    rpm -U --replacepkgs "$file"
  fi
  ;;
esac
`.trim();

/** Absolute: the first one in PATH could be any program, and this one asks for a password. */
const elevator = '/usr/bin/pkexec';

export interface InstallAsRoot {
  kind: RootKind;
  /** The path of the package. */
  path: string;
  file: Pick<PackageFile, 'sha512' | 'size'>;
  run?: RunAsRoot;
}

/** Has the system's package manager install a package, with the user's password. Throws BrokerError. */
export async function installAsRoot({ kind, path, file, run = runAsRoot }: InstallAsRoot): Promise<void> {
  const digest = Buffer.from(file.sha512, 'base64').toString('hex');
  const words = ['/bin/sh', '-c', script, 'lanyard-update', kind, digest, String(file.size)] as const;
  const content = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      throw failures.otherFile(error);
    },
  );
  try {
    const { code, said } = await run(words, content.fd);
    if (code === otherFileCode) {
      throw failures.otherFile();
    }
    if (code !== 0) {
      throw failures.notInstalled(new Error(`exit ${code ?? 'by a signal'}: ${said}`));
    }
  } finally {
    await content.close();
  }
}

const saidLimit = 2_000;

const runAsRoot: RunAsRoot = async (words, stdin) => {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot) {
    await access(elevator, constants.X_OK).catch((error: unknown) => {
      throw failures.notInstalled(error);
    });
  }
  // Asks through the session's agent, not on a terminal.
  const [program, ...args] = isRoot ? words : ([elevator, '--disable-internal-agent', ...words] as const);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: [stdin, 'ignore', 'pipe'],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' },
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-saidLimit);
    });
    child.once('error', (error) => reject(failures.notInstalled(error)));
    child.once('close', (code) => resolve({ code, said }));
  });
};
