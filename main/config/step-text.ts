import { plainJson } from '../domain/text/plain-json.ts';

/** A key or name for a message: quoted unless it is a plain word, shortened to 128 characters. */
export function stepText(step: string | number): string {
  const text = String(step);
  const short = text.length > 128 ? `${text.slice(0, 127)}…` : text;
  return /^[\w.@:/-]+$/.test(text) ? short : plainJson(JSON.stringify(short));
}
