const prefixExpression = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const nameExpression = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const mostOfPrefix = 253;
const mostOfName = 63;

const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${nameExpression}')`;

const prefixRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  `end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${prefixExpression}')`;

/** What is wrong with the key of a label or an annotation, in the words of apimachinery's IsLabelKey; empty: nothing. */
export function labelKeyFaults(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length > 1 ? prefixFaults(parts[0] ?? '') : [];
  return [...prefix.map((fault) => `prefix part ${fault}`), ...nameFaults(name)];
}

function prefixFaults(prefix: string): string[] {
  if (prefix === '') {
    return ['must be non-empty'];
  }
  return [
    ...(Buffer.byteLength(prefix) > mostOfPrefix ? [`must be no more than ${mostOfPrefix} bytes`] : []),
    ...(new RegExp(`^${prefixExpression}$`).test(prefix) ? [] : [prefixRule]),
  ];
}

function nameFaults(name: string): string[] {
  const faults: string[] = [];
  if (name === '') {
    faults.push('must be non-empty');
  } else if (Buffer.byteLength(name) > mostOfName) {
    faults.push(`must be no more than ${mostOfName} bytes`);
  }
  if (!new RegExp(`^${nameExpression}$`).test(name)) {
    faults.push(nameRule);
  }
  return faults.map((fault) => `name part ${fault}`);
}
