import { execFile } from 'node:child_process';
import { win32 } from 'node:path';
import type { UserCheck, UserVerdict } from '../../main/ports/user-check.ts';

/** After this time, the check counts as cancelled. */
const limitMilliseconds = 60_000;
const reasonCharacters = 120;

/** Runs a program, and resolves with its output, whatever the exit code. Null: it couldn't be run, or took too long. */
export type RunScript = (
  program: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; input: string; limitMilliseconds: number },
) => Promise<string | null>;

/**
 * WinRT's UserConsentVerifier. Node can reach it only through Windows' own PowerShell. The script is constant and
 * contains no double quotes. The reason arrives on stdin as base64 of UTF-8, so it is never parsed as script. Has not
 * been run on Windows yet. There the check may open behind other windows, because it has no parent window.
 */
const script = `
$ErrorActionPreference = 'Stop'
Add-Type -AssemblyName System.Runtime.WindowsRuntime
$type = [Windows.Security.Credentials.UI.UserConsentVerifier, Windows.Security.Credentials.UI, ContentType = WindowsRuntime]
$result = [Windows.Security.Credentials.UI.UserConsentVerificationResult, Windows.Security.Credentials.UI, ContentType = WindowsRuntime]
$asTask = [System.WindowsRuntimeSystemExtensions].GetMethods() | Where-Object { $_.Name -eq 'AsTask' -and $_.GetParameters().Count -eq 1 -and $_.GetParameters()[0].ParameterType.Name -eq 'IAsyncOperation\`1' } | Select-Object -First 1
$reason = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String([Console]::In.ReadLine()))
$task = $asTask.MakeGenericMethod($result).Invoke($null, @($type::RequestVerificationAsync($reason)))
$task.Wait()
[Console]::Out.Write($task.Result)
`
  .trim()
  .replaceAll('\n', '; ');

/** By UserConsentVerificationResult. Unknown results count as `cannot`. */
const verdicts: ReadonlyMap<string, UserVerdict> = new Map([
  ['Verified', 'yes'],
  ['Canceled', 'no'],
  ['RetriesExhausted', 'no'],
  ['DeviceBusy', 'cannot'],
  ['DeviceNotPresent', 'absent'],
  ['NotConfiguredForUser', 'absent'],
  ['DisabledByPolicy', 'absent'],
]);

/** Windows Hello. */
export function createWindowsHello({ env, run }: { env: NodeJS.ProcessEnv; run: RunScript }): UserCheck {
  const root = env['SystemRoot'] ?? '';
  return {
    async verify(reason) {
      // Only an absolute path on a drive: no share, and no search in PATH.
      if (!/^[A-Za-z]:\\[\w\\ .-]+$/.test(root)) {
        return 'cannot';
      }
      const program = win32.join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
      const args = ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', script];
      const input = `${Buffer.from(reason.slice(0, reasonCharacters)).toString('base64')}\n`;
      const said = await run(program, args, { env: { SystemRoot: root }, input, limitMilliseconds });
      return verdicts.get(said?.trim() ?? '') ?? 'cannot';
    },
  };
}

/** Runs a program without a shell and without a window. */
export const runScript: RunScript = (program, args, { env, input, limitMilliseconds: timeout }) =>
  new Promise((resolve) => {
    const child = execFile(
      program,
      [...args],
      { env, timeout, windowsHide: true, maxBuffer: 4096, encoding: 'utf8' },
      (error, stdout) => resolve(error ? null : stdout),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
