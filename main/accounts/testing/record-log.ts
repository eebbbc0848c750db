import type { Log } from '../../ports/log.ts';

/** A log that keeps what it is told. */
export function createRecordLog(): Log & { lines: { level: string; event: string; fields: unknown }[] } {
  const lines: { level: string; event: string; fields: unknown }[] = [];
  const at = (level: string) => (event: string, fields?: Record<string, unknown>) => {
    lines.push({ level, event, fields });
  };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
