import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { copyText } from './copy-text.ts';

export interface CopyButtonProps {
  text: string;
  /** What it copies: "Copy the code". */
  label: string;
  /** Whether the label is visible. */
  wide?: boolean;
}

export function CopyButton({ text, label, wide = false }: CopyButtonProps) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  useEffect(() => {
    if (state !== 'ready') {
      const timer = setTimeout(() => setState('ready'), 2000);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [state]);
  const copy = () =>
    copyText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  const icon = state === 'copied' ? <Check /> : <Copy />;
  const said = state === 'ready' ? '' : state === 'copied' ? 'Copied' : 'Could not copy: select it instead';
  return (
    <>
      {wide ? (
        <Button icon={icon} onClick={copy}>
          {said || label}
        </Button>
      ) : (
        <IconButton label={said || label} icon={icon} size="small" onClick={copy} />
      )}
      <span className="unseen" role="status">
        {said}
      </span>
    </>
  );
}
