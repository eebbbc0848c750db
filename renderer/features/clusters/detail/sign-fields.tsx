import { signerKinds } from '../../../../main/contract/config/signer-kinds.ts';
import type { AccountView } from '../../../../main/contract/ui/state.ts';
import { useBroker } from '../../../stores/use-broker.tsx';
import { Checkbox, Select, TextInput } from '../../../ui/field.tsx';
import styles from './proxy.module.css';
import type { StepValues } from './proxy-values.ts';

export interface StepPartProps {
  step: StepValues;
  /** Such as `step 2`. */
  name: string;
  /** What a control has where the step’s fault is at one of these keys. */
  at(...keys: string[]): object;
  onChange(part: Partial<StepValues>): void;
}

type Kind = AccountView['kind'];

/** Accounts that sign, and have nothing to send in a header. */
export const signers: ReadonlySet<Kind> = new Set(signerKinds);

/** The account that signs: one with AWS keys, or a program. */
export function SignAccount({ step, name, at, onChange }: StepPartProps) {
  const offered = useBroker((state) =>
    Object.values(state.sections.accounts)
      .filter(({ kind }) => signers.has(kind))
      .map((account) => account.name)
      .sort()
      .join('\n'),
  );
  const names = offered === '' ? [] : offered.split('\n');
  const kinds = useBroker((state) => state.sections.accounts);
  const choose = (account: string) =>
    onChange(
      // What the form shows no more would be refused where nobody sees it.
      kinds[account]?.kind === 'requestSigner'
        ? { account, service: '', region: '' }
        : { account, credentials: false },
    );
  const none = names.length === 0 ? 'No account can sign yet' : 'Choose an account';
  return (
    <Select
      label={`Account of ${name}`}
      value={step.account}
      {...at('sign')}
      onValueChange={choose}
      options={[...new Set([step.account, ...names])].map((each) => ({
        value: each,
        label: each === '' ? none : each,
      }))}
    />
  );
}

/** What AWS keys sign for, or what a program sees. */
export function SignFields({ step, name, at, onChange }: StepPartProps) {
  const kind = useBroker((state) => state.sections.accounts[step.account]?.kind);
  const isProgram = kind === 'requestSigner';
  return (
    <>
      <div className={styles.line}>
        {!isProgram && (
          <>
            <TextInput
              mono
              className={styles.short}
              aria-label={`Service of ${name}`}
              placeholder="execute-api"
              value={step.service}
              {...at('service', '')}
              onChange={(event) => onChange({ service: event.target.value })}
            />
            <TextInput
              mono
              className={styles.short}
              aria-label={`Region of ${name}`}
              placeholder="eu-west-1"
              value={step.region}
              {...at('region')}
              onChange={(event) => onChange({ region: event.target.value })}
            />
          </>
        )}
        <Select
          label={`Body in the signature of ${name}`}
          value={step.payload}
          {...at('payload')}
          onValueChange={(payload) => onChange({ payload })}
          options={[
            {
              value: '',
              label: isProgram ? 'Body signed, at most 16 MiB (usual)' : 'Body: as the service takes it',
            },
            { value: 'hashed', label: 'Body signed, at most 16 MiB' },
            { value: 'unsigned', label: 'Body not signed' },
          ]}
        />
      </div>
      {(isProgram || step.credentials) && (
        <Checkbox
          checked={step.credentials}
          onCheckedChange={(credentials) => onChange({ credentials })}
          label="The program sees the request’s credentials"
          hint="Only where its signature covers them."
        />
      )}
      {!isProgram && (
        <small className={styles.hint}>
          API Gateway: execute-api. VPC Lattice: vpc-lattice-svcs, which takes no signed body.
        </small>
      )}
    </>
  );
}
