import { byteText } from '../../../../main/contract/ui/byte-text.ts';
import type { ProxiedRequestView } from '../../../../main/contract/ui/calls/request-proxy.ts';
import { useAction } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/states.tsx';
import { spanText, useOfNow } from '../../../ui/time/index.ts';
import own from './proxy.module.css';

export interface ProxiedRequestProps {
  cluster: string;
  request: ProxiedRequestView;
  onEnded(): void;
}

/** One request that is under way: whose it is, what it asks for, since when, and how much passed. */
export function ProxiedRequest({
  cluster,
  request: { id, pid, program, method, path, startedAt, bytesUp, bytesDown },
  onEnded,
}: ProxiedRequestProps) {
  const end = useAction('proxy.end');
  const age = useOfNow((now) => spanText(Math.max(0, now - startedAt)));
  const who = program ?? 'Unknown program';
  return (
    <li className={own.request}>
      <div className={own.body}>
        <p>
          <strong>{who}</strong> <span className={own.hint}>pid {pid}</span>
        </p>
        <p className={own.path}>
          {method} <span className="mono">{path}</span>
        </p>
        <p className={own.hint}>
          {age}, {byteText(bytesDown)} received, {byteText(bytesUp)} sent
        </p>
        {end.failure && <Failure failure={end.failure} />}
      </div>
      <Button
        size="small"
        busy={end.busy}
        aria-label={`End ${method} ${path} of ${who}`}
        onClick={() => void end.run({ cluster, id }).then((done) => done && onEnded())}
      >
        End
      </Button>
    </li>
  );
}
