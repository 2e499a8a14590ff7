import { Modal, type ModalProps } from '@mantine/core';
import type { FocusEvent } from 'react';

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
  if (target === currentTarget)
    target.querySelector<HTMLElement>('input:not([type=hidden]), textarea, select, button')?.focus();
}
