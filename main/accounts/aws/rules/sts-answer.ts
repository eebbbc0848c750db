import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { Secret } from '../../../base/secret.ts';
import { type AwsKeys, accessKeyIdText } from '../../../domain/credential/aws-keys.ts';
import { visibleLine } from '../../../domain/text/visible-text.ts';

/** What STS answered (AWS STS API Reference, its query API’s XML). */
export type StsAnswer =
  | {
      kind: 'keys';
      keys: AwsKeys;
      /** Milliseconds since 1970. */
      expiresAt: number;
      /** The ARN of the role’s session; null: STS didn’t say it. */
      arn: string | null;
    }
  /** STS’s own code, such as `AccessDenied`, and its words. */
  | { kind: 'error'; code: string; message: string }
  | { kind: 'unreadable' };

/** Reads an answer of `AssumeRole` or `AssumeRoleWithWebIdentity`. */
export function readStsAnswer(action: string, xml: string): StsAnswer {
  let root: XmlElement | null;
  try {
    root = parseXml(xml).root;
  } catch {
    return { kind: 'unreadable' };
  }
  if (root?.name === 'ErrorResponse') {
    const error = child(root, 'Error');
    const code = textOf(error, 'Code');
    return code === null
      ? { kind: 'unreadable' }
      : { kind: 'error', code, message: textOf(error, 'Message') ?? '' };
  }
  const result = root?.name === `${action}Response` ? child(root, `${action}Result`) : null;
  const credentials = child(result, 'Credentials');
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = [
    'AccessKeyId',
    'SecretAccessKey',
    'SessionToken',
    'Expiration',
  ].map((name) => textOf(credentials, name));
  const expiresAt = Date.parse(expiration ?? '');
  return accessKeyId &&
    accessKeyIdText.test(accessKeyId) &&
    secretAccessKey &&
    sessionToken &&
    Number.isFinite(expiresAt)
    ? {
        kind: 'keys',
        keys: {
          accessKeyId,
          secretAccessKey: new Secret(secretAccessKey),
          sessionToken: new Secret(sessionToken),
        },
        expiresAt,
        arn: shownArn(textOf(child(result, 'AssumedRoleUser'), 'Arn')),
      }
    : { kind: 'unreadable' };
}

/** It is shown: whoever answers in STS’s place says it. */
function shownArn(arn: string | null): string | null {
  return arn && visibleLine(arn, 300);
}

function child(of: XmlElement | null, name: string): XmlElement | null {
  const found = of?.children.find((each) => each instanceof XmlElement && each.name === name);
  return found instanceof XmlElement ? found : null;
}

/** Null: there is none, or it is empty. */
function textOf(of: XmlElement | null, name: string): string | null {
  return child(of, name)?.text.trim() || null;
}
