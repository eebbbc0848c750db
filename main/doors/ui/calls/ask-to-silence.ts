import { type Silencing, silenceWindow } from '../../../consent/windows/kinds/silence.ts';
import type { Windows } from '../../../consent/windows/windows.ts';
import { BrokerError } from '../../../contract/broker-error.ts';

/** Opens the window that asks the user. Throws BrokerError where none can be opened; `instead` becomes its hint. */
export async function askToSilence(
  windows: Pick<Windows, 'open'>,
  wanted: Silencing,
  instead: string,
): Promise<void> {
  try {
    await windows.open(silenceWindow(wanted), null);
  } catch (error) {
    if (!(error instanceof BrokerError) || error.code !== 'window.none') {
      throw error;
    }
    const { code, message, reason } = error;
    throw new BrokerError(code, message, { reason, hint: instead, cause: error });
  }
}
