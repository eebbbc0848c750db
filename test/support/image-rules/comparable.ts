import type { Answer, StepAnswer } from './questions.ts';

/** Words that differ for a reason. What the reason is not is compared, letter by letter. */
const differences: readonly (readonly [why: string, what: RegExp, instead: string])[] = [
  ['the line of the kubelet’s source', / in scheme "[^"]*"/g, ''],
  ['the whole text, which may contain a secret', /(Object '\w+' is missing).*$/gs, '$1'],
  ['a type of Go’s', /(into Go value)(?: of type struct \{.*)$/gs, '$1'],
  [
    'Lanyard’s parser of IP addresses',
    /(invalid host: ParseAddr\("(?:[^"\\]|\\.)*"\): ).*?(?=, providers\.|\]?$)/g,
    '$1',
  ],
  [
    'JSON.parse, and no character of the text, which may be of a secret',
    /(json parse error: )(?:invalid (?:character|JSON)|unexpected end).*$/gs,
    '$1',
  ],
  ['another parser of YAML', /(error decoding config "[^"]*": )yaml: (?!unmarshal errors).*$/gs, '$1'],
];

/** Lanyard shows a plugin’s words with such characters escaped. */
const controls = /[\p{Cc}]/gu;

/** An answer as it is compared. */
export function comparable(answer: Answer): unknown {
  if ('steps' in answer) {
    return { ...answer, error: words(answer.error), steps: answer.steps?.map(comparableStep) ?? null };
  }
  return 'error' in answer ? { ...answer, error: words(answer.error) } : answer;
}

/** Of a request, the JSON counts: Go escapes for HTML. */
function comparableStep(step: StepAnswer): unknown {
  const providers = step.providers.map(({ request, error, auth }) => ({
    request: request === null ? null : JSON.parse(request),
    error: words(error),
    auth,
  }));
  return { ...step, providers };
}

function words(error: string): string {
  const visible = error.replaceAll(controls, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
  return differences.reduce((text, [, what, instead]) => text.replaceAll(what, instead), visible);
}
