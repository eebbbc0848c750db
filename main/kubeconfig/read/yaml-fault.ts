import type { ErrorCode } from 'yaml';

/** A fault at an offset of the text (UTF-16 units); null: it concerns the whole text. */
export interface YamlFault {
  offset: number | null;
  /** Lower case, no full stop, nothing quoted from the text. */
  message: string;
}

/** In our own words: the parser's messages quote the text, which may contain a secret. */
const messages: Partial<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias can have neither an anchor nor a tag',
  BAD_ALIAS: 'an alias or anchor without a name',
  BAD_COLLECTION_TYPE: 'a tag that does not fit its value',
  BAD_DIRECTIVE: 'an unknown YAML directive',
  BAD_DQ_ESCAPE: 'an escape in double quotes that YAML does not have; write a backslash as \\\\',
  BAD_INDENT:
    'the indentation does not fit the lines around it; lines within quotes or brackets must be indented deeper than their key',
  BAD_PROP_ORDER: 'anchors and tags must stand before the value, after its `-`, `?` or `:`',
  BAD_SCALAR_START: 'a value can’t begin with this character; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a key within a value; the value wants quotes, or the line another indentation',
  BLOCK_IN_FLOW: 'a block within [ ] or { }',
  KEY_OVER_1024_CHARS: 'a key of more than 1024 characters',
  MISSING_CHAR:
    'something is missing: a closing quote or bracket, a comma, a colon, a space; or indentation of a line within quotes or brackets',
  MULTILINE_IMPLICIT_KEY: 'a key over several lines; perhaps a colon is missing here',
  MULTIPLE_ANCHORS: 'a value with two anchors',
  MULTIPLE_TAGS: 'a value with two tags',
  RESOURCE_EXHAUSTION: 'nested too deeply',
  TAB_AS_INDENT: 'a tab as indentation; YAML wants spaces',
  TAG_RESOLVE_FAILED: 'a tag that does not fit its value',
  UNEXPECTED_TOKEN: 'this was not expected here',
};

/** A fault of the parser, in words. */
export function faultOf(code: ErrorCode, offset: number): YamlFault {
  return { offset, message: `broken YAML: ${messages[code] ?? 'this can’t be read'}` };
}
