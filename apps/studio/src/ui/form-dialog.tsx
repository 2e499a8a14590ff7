import { Modal } from '@mantine/core';
import { Suspense, useEffect, useRef, useState, type FocusEvent, type ReactNode } from 'react';
import { PageLoader } from './frames';

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * Shows a form in a dialog that begins in its first field, or button, instead of on the × that closes it; the focus returns
 * to the button that opened it.
 */
export default function FormDialog({ title, isOpen, onClose, children }: FormDialogProps) {
  // Opens after it is mounted, because Mantine stores the focus only when a dialog changes to open.
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(isOpen), [isOpen]);
  return (
    <Modal opened={isShown} onClose={onClose} title={title} size="lg">
      <div data-autofocus tabIndex={-1} onFocus={enter}>
        <Suspense fallback={<PageLoader />}>
          {children}
          <FocusWhenLoaded />
        </Suspense>
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
function FocusWhenLoaded() {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const form = mark.current?.closest('[data-autofocus]');
    if (form && form === document.activeElement) focusFirst(form);
  }, []);
  return <span ref={mark} hidden />;
}
