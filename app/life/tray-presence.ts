/** Whether this desktop shows a tray: on Linux only where something watches for its icons. */
export async function findTray(_platform: NodeJS.Platform, _env: NodeJS.ProcessEnv): Promise<boolean> {
  return true;
}
