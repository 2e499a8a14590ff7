import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useRef, type FocusEvent } from 'react';

/** A dialog that begins in its first field, or button, instead of on the × that closes it. */
export function Dialog({ children, ...props }: ModalProps) {
  return (
    <Modal {...props}>
      <div data-autofocus tabIndex={-1} onFocus={enter}>
        {children}
      </div>
    </Modal>
  );
}

function enter({ target, currentTarget }: FocusEvent<HTMLDivElement>): void {
  if (target === currentTarget) focusFirst(currentTarget);
}

/** Lists are passed over, because they open when they get the focus. */
const focusFirst = (form: Element): void =>
  form
    .querySelector<HTMLElement>(
      'input:not([type=hidden], [type=radio], [aria-haspopup]), textarea, select, button',
    )
    ?.focus();

/** Moves the focus to the first field when a form is shown that was loaded after its dialog opened. */
export function FocusWhenLoaded() {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const form = mark.current?.closest('[data-autofocus]');
    if (form && form === document.activeElement) focusFirst(form);
  }, []);
  return <span ref={mark} hidden />;
}
