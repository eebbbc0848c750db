/** How a helper ended, and what it lists then. */
export interface Outcome {
  code: number;
  stdout: string;
  /** What `list` prints after it. */
  after: string;
}

/** One call of a credential helper, in a state that earlier calls made. */
export interface Row {
  name: string;
  /** Stored before, as `[ServerURL, Username, Secret]`. */
  stored?: readonly (readonly [string, string, string])[];
  args: readonly string[];
  stdin?: string | Uint8Array;
  /** In what Lanyard differs from the reference, on purpose. */
  differs?: { why: string; ours: Partial<Outcome> };
}

export function entryJson(serverUrl: string, userName: string, secret: string): string {
  return `${JSON.stringify({ ServerURL: serverUrl, Username: userName, Secret: secret })}\n`;
}

const ghcr = ['ghcr.io', 'alice', 'pass'] as const;
const hub = ['https://index.docker.io/v1/', 'alice', 'pass'] as const;
const refusals = {
  json: 'lanyard: the entry is no JSON object with ServerURL, Username and Secret as texts\n',
  utf8: 'lanyard: standard input is not UTF-8\n',
  large: 'lanyard: standard input is larger than 65536 bytes\n',
  userInfo: 'lanyard: the server URL has a user name or a password in it\n',
  characters: 'lanyard: the server URL has characters that no URL has\n',
  host: 'lanyard: the server URL names no host\n',
};
const faultOfJson = 'JSON errors have Lanyard’s text, which quotes nothing';
const checked = 'a server that no client can mean is refused, as the native helpers refuse it';
const oneServer = 'all spellings of one server are one entry';

function get(name: string, stdin: string, more: Partial<Row> = {}): Row {
  return { name: `get ${name}`, args: ['get'], stdin, stored: [ghcr], ...more };
}

function store(name: string, stdin: string | Uint8Array, more: Partial<Row> = {}): Row {
  return { name: `store ${name}`, args: ['store'], stdin, ...more };
}

function erase(name: string, stdin: string, more: Partial<Row> = {}): Row {
  return { name: `erase ${name}`, args: ['erase'], stdin, stored: [ghcr], ...more };
}

/** The secret comes back as it was stored. */
function secret(name: string, value: string, userName = 'alice'): Row {
  return get(`a secret ${name}`, 'ghcr.io', { stored: [['ghcr.io', userName, value]] });
}

function refused(why: string, stdout: string, after = '{}\n'): Pick<Row, 'differs'> {
  return { differs: { why, ours: { code: 1, stdout, after } } };
}

function version(word: string): Row {
  const ours = { code: 0, stdout: 'docker-credential-lanyard (lanyard) v0.1.0\n' };
  return { name: word, args: [word], differs: { why: 'it is another program', ours } };
}

/** The table: docker-credential-helpers’ own code beside Lanyard. */
export const rows: readonly Row[] = [
  // What is no action.
  { name: 'no action', args: [] },
  { name: 'two words', args: ['get', 'ghcr.io'], stdin: 'ghcr.io' },
  { name: '--help', args: ['--help'] },
  { name: '-h', args: ['-h'] },
  { name: 'help', args: ['help'] },
  { name: 'an unknown action', args: ['login'], stdin: 'ghcr.io' },
  { name: 'an action in capitals', args: ['GET'], stdin: 'ghcr.io' },
  { name: 'an empty action', args: [''] },
  version('version'),
  version('--version'),
  version('-v'),

  get('nothing', ''),
  get('spaces alone', ' \t\r\n \n'),
  get('what is stored', 'ghcr.io'),
  get('with a line end', 'ghcr.io\n'),
  get('with the line ends of Windows', 'ghcr.io\r\n\r\n'),
  get('with spaces around it', '  ghcr.io \t\n'),
  get('broken over lines', 'gh\ncr\r\n.io'),
  get('what is not stored', 'quay.io'),
  get('where nothing is stored', 'ghcr.io', { stored: [] }),
  get('a host as every object has a name of', 'constructor'),
  get('another port', 'ghcr.io:5000'),
  get('a port where none was stored', 'ghcr.io:443'),
  get('no port where one was stored', 'localhost', { stored: [['localhost:5000', 'a', 'b']] }),
  get('a port', 'localhost:5000', { stored: [['localhost:5000', 'a', 'b']] }),
  get('an address with a port', '[::1]:5000', { stored: [['[::1]:5000', 'a', 'b']] }),
  get('http where https was stored', 'http://ghcr.io', { stored: [['https://ghcr.io', 'a', 'b']] }),
  get('https where http was stored', 'https://ghcr.io', { stored: [['http://ghcr.io', 'a', 'b']] }),
  get('a path', 'quay.io/org', { stored: [['quay.io/org', 'a', 'b']] }),
  get('the host of a path', 'quay.io', { stored: [['quay.io/org', 'a', 'b']] }),
  get('a path of a host', 'ghcr.io/org'),
  get('Docker Hub as docker stored it', 'https://index.docker.io/v1/', { stored: [hub] }),
  get('Docker Hub’s access token beside it', 'https://index.docker.io/v1/access-token', {
    stored: [hub, ['https://index.docker.io/v1/access-token', 'alice', 'access']],
  }),
  get('Docker Hub’s refresh token, which is not stored', 'https://index.docker.io/v1/refresh-token', {
    stored: [hub],
  }),
  ...['docker.io', 'index.docker.io', 'registry-1.docker.io'].map((name) =>
    get(`Docker Hub as ${name}`, name, {
      stored: [hub],
      differs: {
        why: oneServer,
        ours: { code: 0, stdout: entryJson(name, 'alice', 'pass') },
      },
    }),
  ),
  get('https where no scheme was stored', 'https://ghcr.io/', {
    differs: { why: oneServer, ours: { code: 0, stdout: entryJson('https://ghcr.io/', 'alice', 'pass') } },
  }),
  get('in capitals', 'GHCR.IO', {
    differs: { why: oneServer, ours: { code: 0, stdout: entryJson('GHCR.IO', 'alice', 'pass') } },
  }),
  get('with a password in it', 'https://alice:canary@ghcr.io', {
    differs: { why: checked, ours: { code: 1, stdout: refusals.userInfo } },
  }),
  get('with a space in it', 'ghcr.io/a b', {
    differs: { why: checked, ours: { code: 1, stdout: refusals.characters } },
  }),
  get('with a terminal’s sequence', 'ghcr.io\u001b[2J', {
    differs: { why: checked, ours: { code: 1, stdout: refusals.characters } },
  }),
  get('without a host', 'https:///v1', {
    differs: { why: checked, ours: { code: 1, stdout: refusals.host } },
  }),
  get('of another scheme', 'ftp://ghcr.io', {
    differs: {
      why: checked,
      ours: {
        code: 1,
        stdout: 'lanyard: the server URL has the scheme ftp: only https and http are supported\n',
      },
    },
  }),

  secret('with what HTML has', '<a href="x">&amp;\'</a>'),
  secret('with what JavaScript ends lines with', 'a\u2028b\u2029c'),
  secret('with control characters', '\u0000\u0001\b\f\n\r\t\u001f\u007f\u0085'),
  secret('with quotes and slashes', '"\\/\\"'),
  secret('beyond ASCII', 'é鍵🔑\ufeff\ufffd'),
  secret('that is empty', ''),
  secret('of 8,000 characters', 'x'.repeat(8_000)),
  secret('that is an identity token', 'eyJ.a.b', '<token>'),
  secret('of a user name beyond ASCII', 'pass', 'größe \u202e 鍵'),

  store('an entry', entryJson(...ghcr)),
  store('in the place of another', entryJson('ghcr.io', 'bob', 'new'), { stored: [ghcr] }),
  store('beside another', entryJson('a.example.com', 'bob', 'new'), { stored: [ghcr] }),
  store('JSON on several lines', '{\n  "ServerURL": "ghcr.io",\r\n  "Username": "a",\n  "Secret": "b"\n}\n'),
  store('names in other letters', '{"serverurl":"ghcr.io","USERNAME":"a","sEcReT":"b"}'),
  store('unknown names', '{"ServerURL":"ghcr.io","Username":"a","Secret":"b","Email":["x",{"Secret":1}]}'),
  store('names twice', '{"ServerURL":"x","ServerURL":"ghcr.io","Username":"x","Username":"a","Secret":"b"}'),
  store('a name that comes again as null', '{"ServerURL":"ghcr.io","Username":"a","Username":null}', {
    differs: {
      why: 'of a name that comes twice the last counts, also where it says nothing',
      ours: { code: 1, stdout: 'no credentials username\n', after: '{}\n' },
    },
  }),
  store('more behind it', `${entryJson(...ghcr)}{"ServerURL":"quay.io"} and more`),
  store('a bracket too many', '{"ServerURL":"ghcr.io","Username":"a","Secret":"b"}}'),
  store('brackets in a secret', '{"ServerURL":"ghcr.io","Username":"a","Secret":"}]\\"}"}'),
  store('half a character', '{"ServerURL":"ghcr.io","Username":"a\\ud800","Secret":"\\udc00b"}'),
  store('escaped letters', '{"\\u0053erverURL":"\\u0067hcr.io","Username":"a","Secret":"b"}'),
  store('no secret', '{"ServerURL":"ghcr.io","Username":"a"}'),
  store('null as secret', '{"ServerURL":"ghcr.io","Username":"a","Secret":null}'),
  store('no user name', '{"ServerURL":"ghcr.io","Secret":"b"}'),
  store('an empty user name', entryJson('ghcr.io', '', 'b'), { stored: [ghcr] }),
  store('no server', '{"Username":"a","Secret":"b"}'),
  store('an empty server', entryJson('', 'a', 'b')),
  store('nothing in braces', '{}'),
  store('null as server', '{"ServerURL":null,"Username":"a","Secret":"b"}'),
  store('nothing', '', refused(faultOfJson, refusals.json)),
  store('no JSON', 'ghcr.io', refused(faultOfJson, refusals.json)),
  store('half of it', entryJson(...ghcr).slice(0, 40), refused(faultOfJson, refusals.json)),
  store('a list', '["ghcr.io","a","b"]', refused(faultOfJson, refusals.json)),
  store('a text', '"ghcr.io"', refused(faultOfJson, refusals.json)),
  store('null', 'null', refused(faultOfJson, refusals.json)),
  store(
    'a number as server',
    '{"ServerURL":1,"Username":"a","Secret":"b"}',
    refused(faultOfJson, refusals.json),
  ),
  store(
    'a list as user name',
    '{"ServerURL":"x","Username":["a"],"Secret":"b"}',
    refused(faultOfJson, refusals.json),
  ),
  store(
    'true as secret',
    '{"ServerURL":"x","Username":"a","Secret":true}',
    refused(faultOfJson, refusals.json),
  ),
  store(
    'a tab in a secret',
    '{"ServerURL":"x","Username":"a","Secret":"\t"}',
    refused(faultOfJson, refusals.json),
  ),
  store('a byte order mark', `\ufeff${entryJson(...ghcr)}`, refused(faultOfJson, refusals.json)),
  store(
    'bytes that are no text',
    Buffer.from('{"ServerURL":"ghcr.io","Username":"a","Secret":"\xff"}', 'latin1'),
    refused('Go stores another secret than it was given', refusals.utf8),
  ),
  store(
    'a line of more than 64 KiB',
    entryJson('ghcr.io', 'a', 'x'.repeat(70_000)),
    refused('Go’s words for a line that is too long say nothing of what is wrong', refusals.large),
  ),
  store(
    'two lines of 40 KiB',
    `{"ServerURL":"ghcr.io","Username":"a","Secret":"${'x'.repeat(40_000)}\n${'y'.repeat(40_000)}"}`,
    refused('all of standard input is bounded, not each line', refusals.large),
  ),
  store(
    'a password in the server',
    entryJson('https://a:canary@b', 'a', 'b'),
    refused(checked, refusals.userInfo),
  ),
  store('spaces around the server', entryJson(' ghcr.io ', 'a', 'b'), refused(checked, refusals.characters)),
  store(
    'letters that look like others in the server',
    entryJson('gһcr.io', 'a', 'b'),
    refused(checked, refusals.characters),
  ),
  store('Docker Hub by another name', entryJson('docker.io', 'bob', 'new'), {
    stored: [hub],
    differs: { why: oneServer, ours: { code: 0, stdout: '', after: '{"docker.io":"bob"}\n' } },
  }),

  erase('what is stored', 'ghcr.io\n'),
  erase('one of two', 'ghcr.io', { stored: [ghcr, ['quay.io', 'bob', 'b']] }),
  erase('what is not stored', 'quay.io'),
  erase('where nothing is stored', 'ghcr.io', { stored: [] }),
  erase('nothing', ''),
  erase('spaces alone', ' \n'),
  erase('http where https is stored', 'http://ghcr.io'),
  erase('Docker Hub’s access token alone', 'https://index.docker.io/v1/access-token', {
    stored: [hub, ['https://index.docker.io/v1/access-token', 'alice', 'access']],
  }),
  erase('another spelling', 'https://ghcr.io', {
    differs: { why: oneServer, ours: { code: 0, stdout: '', after: '{}\n' } },
  }),
  erase('with a password in it', 'https://a:canary@ghcr.io', {
    differs: { why: checked, ours: { code: 1, stdout: refusals.userInfo } },
  }),

  { name: 'list nothing', args: ['list'], stdin: 'unused' },
  {
    name: 'list several',
    args: ['list'],
    stored: [['z.example.com', 'z', '1'], hub, ['a:5000', '<token>', '2']],
  },
];
