import type { WindowKind } from '../../../consent/windows/window-kind.ts';
import type { Windows } from '../../../consent/windows/windows.ts';
import { BrokerError } from '../../../contract/broker-error.ts';

/** Opens the broker’s own window. Throws BrokerError where none can be opened; `instead` becomes its hint. */
export async function openOrElse(
  windows: Pick<Windows, 'open'>,
  kind: WindowKind,
  instead: string,
): Promise<void> {
  try {
    await windows.open(kind, null);
  } catch (error) {
    if (!(error instanceof BrokerError) || error.code !== 'window.none') {
      throw error;
    }
    const { code, message, reason } = error;
    throw new BrokerError(code, message, { reason, hint: instead, cause: error });
  }
}
