import { seededRandom } from '../storm-random.ts';
import { type PrintedAnswer, seeds, v1, v1beta1 } from './seeds.ts';

/** What a bug of a plugin, of its shell or of a pipe puts into an answer, and what decoders differ in. */
const pieces = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    "'",
    '\\',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '-',
    '---\n',
    '#',
    '&a ',
    '*a',
    '!',
    '|',
    '>',
    '?',
    '%',
    '@',
    '`',
    '~',
    '=',
    '_',
    '.',
  ],
  ...[
    'null',
    'true',
    '0',
    '-1',
    '1e5',
    '0x1F',
    '1_000',
    '.5',
    'yes',
    'NaN',
    '.nan',
    '""',
    '{}',
    '[]',
    '""""',
  ],
  ...['"kind":null,', '"Kind":"ExecCredential",', '"kind":"",', '"KIND":"Secret",', '"\u212aind":"Other",'],
  ...[`"apiversion":"${v1}",`, `"apiVersion":"${v1beta1}",`, '"apiVersion":"",', '"apiver\u017fion":null,'],
  ...['"status":{},', '"status":null,', '"status":{"token":"other"},', ',"status":{"token":null}'],
  ...[
    '"token":"a",',
    '"Token":"a",',
    ',"token":""',
    '"token":1,',
    '"spec":1,',
    '"spec":{"interactive":"x"},',
  ],
  ...[
    'status:\n',
    '  token: b\n',
    '  token: 12\n',
    '<<: {token: c}\n',
    'token: ',
    '\nkind:\n',
    '"expirationTimestamp":null,',
  ],
  ...[
    '"expirationTimestamp":"0001-01-01T00:00:00Z",',
    ',5',
    '.25',
    '+02:00',
    '-00:00',
    'T24',
    '-02-30',
    ' Z',
    't',
    'z',
  ],
  ...[
    '\ufeff',
    '\u00a0',
    '\u0085',
    '\u2028',
    '\u0000',
    '\u001b[0m',
    '\u007f',
    '\\u0000',
    '\\ud800',
    'é',
    '🔑',
    '\\n',
    '\\t',
    '\\/',
  ],
  ...[
    '-----BEGIN CERTIFICATE-----\\n',
    '\\n-----END CERTIFICATE-----\\n',
    ' PRIVATE KEY',
    'Proc-Type: 4,ENCRYPTED\\n',
    'Welcome!\n',
  ],
];

type Mutation = (bytes: Buffer, random: () => number) => Buffer;

const between = (random: () => number, most: number) => Math.floor(random() * (most + 1));

function splice(bytes: Buffer, at: number, remove: number, put: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + remove)]);
}

const nothing = Buffer.alloc(0);
const piece = (random: () => number) => Buffer.from(pieces[between(random, pieces.length - 1)] ?? '');

/** Where a mark stands, most of the time: a text’s middle matters to nobody. */
function place(bytes: Buffer, random: () => number): number {
  const any = between(random, bytes.length);
  if (random() < 0.4) {
    return any;
  }
  const rest = bytes
    .subarray(any)
    .toString('latin1')
    .search(/["{}[\],:\n\\ -]/);
  return rest < 0 ? any : any + rest + between(random, 1);
}

const mutations: readonly Mutation[] = [
  (bytes, random) => bytes.subarray(0, place(bytes, random)),
  (bytes, random) => bytes.subarray(between(random, 20)),
  (bytes, random) => splice(bytes, place(bytes, random), 1, nothing),
  (bytes, random) => splice(bytes, place(bytes, random), between(random, 30), nothing),
  (bytes, random) => splice(bytes, place(bytes, random), 0, piece(random)),
  (bytes, random) => splice(bytes, place(bytes, random), 0, piece(random)),
  (bytes, random) => splice(bytes, place(bytes, random), between(random, 3), piece(random)),
  (bytes, random) => splice(bytes, place(bytes, random), 1, Buffer.from([between(random, 255)])),
  (bytes, random) => splice(bytes, place(bytes, random), 1, Buffer.from([32 + between(random, 94)])),
  (bytes, random) => {
    const [from, to] = [place(bytes, random), place(bytes, random)];
    return splice(bytes, to, 0, bytes.subarray(from, from + between(random, 60)));
  },
  (bytes, random) => {
    const at = between(random, bytes.length - 1);
    const letter = bytes[at] ?? 0;
    return splice(
      bytes,
      at,
      1,
      Buffer.from([/[a-z]/i.test(String.fromCharCode(letter)) ? letter ^ 0x20 : letter]),
    );
  },
  // A digit of a time, a letter of base64.
  (bytes, random) => {
    const digits = [...bytes.toString('latin1').matchAll(/\d/g)];
    const at = digits[between(random, digits.length - 1)]?.index ?? 0;
    return splice(bytes, at, 1, Buffer.from(String(between(random, 9))));
  },
];

/** So many answers, each a seed with one to three mutations; the same for the same number. */
export function* mutatedAnswers(seed: number, count: number): Generator<PrintedAnswer> {
  const random = seededRandom(seed);
  const whole = seeds();
  for (let index = 0; index < count; index++) {
    const from = whole[index % whole.length];
    if (from) {
      let { stdout } = from;
      for (let left = 1 + between(random, random() < 0.5 ? 0 : 2); left > 0; left--) {
        stdout = mutations[between(random, mutations.length - 1)]?.(stdout, random) ?? stdout;
      }
      yield { ...from, name: `mutation ${index} of seed ${seed}: ${from.name}`, stdout };
    }
  }
}
