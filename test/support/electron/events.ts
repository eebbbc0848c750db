import { EventEmitter } from 'node:events';

/** An event as Electron's listeners get it. */
export interface StandInEvent {
  defaultPrevented: boolean;
  preventDefault(): void;
}

export function standInEvent<More extends object>(more?: More): StandInEvent & More {
  const event: StandInEvent = {
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true;
    },
  };
  return Object.assign(event, more);
}

// biome-ignore lint/suspicious/noExplicitAny: one signature that fits all of Electron's overloads
type Any = any;
type AnyListener = (...args: Any[]) => void;

/** What emits events, as every object of Electron's does. */
export class StandInEmitter {
  readonly events = new EventEmitter();
  on(event: string, listener: AnyListener): Any {
    this.events.on(event, listener);
    return this;
  }
  once(event: string, listener: AnyListener): Any {
    this.events.once(event, listener);
    return this;
  }
  removeListener(event: string, listener: AnyListener): Any {
    this.events.removeListener(event, listener);
    return this;
  }
  /** As the system or a person does; the event that the listeners saw. */
  happen(name: string, ...args: unknown[]): StandInEvent {
    const event = standInEvent();
    this.events.emit(name, event, ...args);
    return event;
  }
}
