import { Plus } from 'lucide-react';
import { useId, useLayoutEffect, useRef } from 'react';
import { sentence } from '../../../../main/contract/ui/sentence.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/field.tsx';
import styles from './proxy.module.css';
import { type Move, ProxyStep } from './proxy-step.tsx';
import { type ProxyValues, placeOfFault, type StepValues, stepOf } from './proxy-values.ts';

export interface ProxyFieldsProps {
  proxy: ProxyValues;
  /** The first fault, as the broker says it. */
  fault: string | undefined;
  onChange(proxy: ProxyValues): void;
}

/** Whether the request proxy is used, and what it does to each request, in order. */
export function ProxyFields({ proxy, fault, onChange }: ProxyFieldsProps) {
  const { isOn, steps } = proxy;
  const id = useId();
  const own = useRef<HTMLFieldSetElement>(null);
  // Focused after the next render: a control that was moved, or a neighbour of one that is gone. A passive effect of the
  // render before may run between the click and that render, and would find nothing.
  const wanted = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (wanted.current !== null) {
      own.current?.querySelector<HTMLElement>(wanted.current)?.focus();
      wanted.current = null;
    }
  });
  const set = (next: readonly StepValues[], focus: string | null = null) => {
    wanted.current = focus;
    onChange({ ...proxy, steps: next });
  };
  const move = (at: number, by: Move) => {
    const to = at + by;
    const step = steps[at];
    if (step && to >= 0 && to < steps.length) {
      set(steps.toSpliced(at, 1).toSpliced(to, 0, step), `[data-step="${step.id}"] [data-move="${by}"]`);
    }
  };
  const add = () => {
    const step = stepOf({});
    set([...steps, step], `[data-step="${step.id}"] select`);
  };
  const remove = (at: number) => {
    const left = steps.toSpliced(at, 1);
    const next = left[Math.min(at, left.length - 1)];
    set(left, next ? `[data-step="${next.id}"] [data-remove]` : '[data-add]');
  };
  const place = fault === undefined ? null : placeOfFault(fault);
  const isShown = place !== null && place.at !== null && place.at < steps.length;
  return (
    <fieldset ref={own} className={styles.proxy} aria-describedby={isOn ? `${id}-hint` : undefined}>
      <legend>Request proxy</legend>
      <Checkbox
        checked={isOn}
        onCheckedChange={(next) => onChange({ ...proxy, isOn: next })}
        label="Send requests through Lanyard’s request proxy"
        hint="For a cluster that wants more than a credential, such as headers of Cloudflare Access or Google’s IAP."
      />
      {isOn && (
        <>
          <p id={`${id}-hint`} className={styles.hint}>
            Each request gets the account’s credential first, then these steps, in order.
          </p>
          {steps.length > 0 && (
            <ol className={styles.steps}>
              {steps.map((step, at) => (
                <ProxyStep
                  key={step.id}
                  step={step}
                  number={at + 1}
                  last={at === steps.length - 1}
                  fault={isShown && place.at === at ? { ...place, message: sentence(place.message) } : null}
                  onChange={(part) =>
                    set(steps.map((each) => (each.id === step.id ? { ...each, ...part } : each)))
                  }
                  onMove={(by) => move(at, by)}
                  onRemove={() => remove(at)}
                />
              ))}
            </ol>
          )}
          {place && !isShown && <p className={styles.error}>{sentence(place.message)}</p>}
          <div>
            <Button size="small" icon={<Plus />} onClick={add} data-add="">
              Add a step
            </Button>
          </div>
        </>
      )}
    </fieldset>
  );
}
