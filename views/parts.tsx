/** Small things that views are made of: foreign text, a sentence to ask, a bar beside its number, a panel. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { visible } from './format.ts';

/** Renders untrusted text, isolated from the text around it and with hidden characters shown. */
export function Text({ of, whole = false }: { of: string; whole?: boolean }) {
  const text = visible(of);
  return (
    <bdi class={whole ? 'whole' : undefined} title={whole || text.length < 24 ? undefined : text}>
      {text}
    </bdi>
  );
}

/** A sentence for the assistant, ready to copy. */
export function Sentence({ of, label = 'Ask your assistant' }: { of: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const text = useRef<HTMLQuoteElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(of);
      setCopied(true);
    } catch {
      // A saved file may not be let at the clipboard: the sentence is selected, for the person's own keys.
      if (text.current !== null) getSelection()?.selectAllChildren(text.current);
    }
  };
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <div class="sentence">
      <p>
        <span class="soft">{label}: </span>
        <q ref={text}>{visible(of)}</q>
      </p>
      <button type="button" class="small" onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      <span role="status" class="unseen">
        {isCopied ? 'Copied' : ''}
      </span>
    </div>
  );
}

/** Renders a bar beside the number that says the same. @param part from 0 to 1 */
export function Bar({ part, kind }: { part: number; kind?: string | undefined }) {
  return (
    <span class="bar" aria-hidden="true">
      <span class={kind} style={{ width: `${Math.max(0, Math.min(1, part)) * 100}%` }} />
    </span>
  );
}

/** Over the page, with the focus inside; Escape and the button close it, and the focus goes back to where it was. */
export function Panel(props: {
  title: ComponentChildren;
  label: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { title, label, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div class="panel">
        <header>
          <h2>{title}</h2>
          <button type="button" class="small" onClick={onClose}>
            Close
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** Renders the question to ask the assistant while there is nothing to show yet. */
export function Nothing({ text, ask }: { text: string; ask?: string | undefined }) {
  return (
    <section class="card nothing">
      <p>{text}</p>
      {ask === undefined ? undefined : <Sentence of={ask} />}
    </section>
  );
}

/** Renders the notices about the data that are shown. */
export function Notes({ of }: { of: readonly string[] }) {
  return (
    <>
      {of.map((note) => (
        <p key={note} class="soft">
          <Text of={note} whole />
        </p>
      ))}
    </>
  );
}
