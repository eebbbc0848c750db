import { z } from 'zod';
import type { RequestToSign } from '../../ports/request-signers.ts';

/** What a program that signs requests is told and answers: lines of JSON (docs/request-signers.md). */

const protocolVersion = 1;

/** A line of the program, in bytes. */
export const longestAnswer = 64 * 1024;

/** The headers of one answer. */
export const mostHeaders = 64;

const answer = z.object({
  id: z.int(),
  headers: z.array(z.tuple([z.string(), z.string()])).optional(),
  error: z.string().optional(),
});

/** Header names and values, as the program gave them: not checked yet. */
export type HeaderPairs = readonly (readonly [string, string])[];

/** `fault`: why a line is no answer, as the end of a sentence; without anything that the line has. */
export type ReadAnswer =
  | { ok: true; id: number; headers: HeaderPairs }
  | { ok: true; id: number; error: string }
  | { ok: false; fault: string };

/**
 * The line for the program, with its end, in ASCII: some libraries see a line’s end in U+2028 (Node’s readline), or
 * read in the locale’s encoding. Its key order is no promise.
 */
export function requestLine(id: number, request: RequestToSign): string {
  const { cluster, method, path, host, headers, bodySha256 } = request;
  const line = { version: protocolVersion, id, cluster, method, path, host, headers, bodySha256 };
  return `${JSON.stringify(line).replace(/[\u0080-\uffff]/g, escaped)}\n`;
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** One line of the program, without its end. Unknown keys are ignored. */
export function readAnswer(line: string): ReadAnswer {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return { ok: false, fault: 'it wrote a line that isn’t JSON' };
  }
  const { data } = answer.safeParse(json);
  if (!data) {
    return {
      ok: false,
      fault: 'it wrote a line that is no answer: {"id": NUMBER, "headers": [[NAME, VALUE], …]}',
    };
  }
  const { id, headers, error } = data;
  if (headers !== undefined && error === undefined) {
    return { ok: true, id, headers };
  }
  return error !== undefined && headers === undefined
    ? { ok: true, id, error }
    : { ok: false, fault: 'it wrote an answer that has not exactly one of headers and error' };
}
