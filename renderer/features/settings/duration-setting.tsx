import { useState } from 'react';
import { Field, Select } from '../../ui/field.tsx';
import { durationWords } from './duration-words.ts';
import { TextSetting } from './text-setting.tsx';

export interface DurationSettingProps {
  label: string;
  hint: string;
  /** As config.yaml has it; '': not at all. */
  value: string;
  /** The value in config.yaml is pending approval. */
  held: boolean;
  /** Offered, the shortest first. */
  presets: readonly string[];
  /** What no duration means; absent: there has to be one. */
  none?: string;
  onSave(value: string): Promise<void>;
}

const custom = 'custom';

/** How long something takes: one of a few, or another one that is typed. Saved when it is chosen. */
export function DurationSetting({ label, hint, value, held, presets, none, onSave }: DurationSettingProps) {
  const [isTyping, setTyping] = useState(false);
  const offered = none === undefined ? presets : [...presets, ''];
  const isCustom = isTyping || !offered.includes(value);
  const choose = (chosen: string) => {
    setTyping(chosen === custom);
    if (chosen !== custom && chosen !== value) {
      void onSave(chosen);
    }
  };
  return (
    <>
      <Field label={label} hint={held ? `${hint} The change is pending approval.` : hint}>
        <Select
          value={isCustom ? custom : value}
          onValueChange={choose}
          calls
          options={[
            ...offered.map((each) => ({
              value: each,
              label: each === '' ? (none ?? '') : durationWords(each),
            })),
            { value: custom, label: 'Custom…' },
          ]}
        />
      </Field>
      {isCustom && (
        <TextSetting
          label={`${label}: custom`}
          hint="A number with s, m, h or d, such as 45m."
          value={value}
          held={false}
          pattern={/^[1-9]\d{0,5}[smhd]$/}
          expected="a number with s, m, h or d, such as 45m"
          onSave={onSave}
        />
      )}
    </>
  );
}
