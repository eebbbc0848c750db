import { ExternalLink } from 'lucide-react';
import type { CallProgress } from '../../../main/contract/ui/calls/index.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Countdown } from './countdown.tsx';
import styles from './login.module.css';
import { codeForEars } from './login-text.ts';
import { OpenLink } from './open-link.tsx';
import { QrCode } from './qr-code.tsx';
import { hostOf, safeAddress } from './safe-address.ts';

type Code = Extract<CallProgress<'account.login'>, { shows: 'deviceCode' }>;

/** The code of RFC 8628, for any device that has a browser. */
export function DeviceStep({ code, endsAt }: { code: Code; endsAt: number }) {
  const typed = safeAddress(code.verificationUri);
  const whole = code.verificationUriComplete === null ? null : safeAddress(code.verificationUriComplete);
  const scanned = whole ?? typed;
  return (
    <div className={styles.device}>
      <div className={styles.deviceWords}>
        <p>
          On any device, go to{' '}
          <strong className={styles.address}>
            {typed === null ? code.verificationUri : shortAddress(typed)}
          </strong>{' '}
          and type this code:
        </p>
        <div className={styles.codeRow}>
          <output className={styles.code} aria-label={`The code is ${codeForEars(code.userCode)}`}>
            {code.userCode}
          </output>
          <CopyButton text={code.userCode} label="Copy the code" />
        </div>
        <p className={styles.muted}>
          Make sure that the page shows the same code and is on {hostOf(code.verificationUri)}.
        </p>
        <div className={styles.row}>
          {scanned !== null && (
            <OpenLink href={scanned} icon={<ExternalLink />}>
              Open in browser
            </OpenLink>
          )}
        </div>
        <Countdown endsAt={endsAt} />
      </div>
      {scanned !== null && (
        <QrCode
          text={scanned}
          label={
            whole === null
              ? `QR code of ${scanned}, where the code is typed`
              : `QR code that opens ${hostOf(scanned)} with the code ${code.userCode}`
          }
        />
      )}
    </div>
  );
}

/** The address as users type it. */
function shortAddress(address: string): string {
  return address.replace(/^https:\/\//, '').replace(/\/$/, '');
}
