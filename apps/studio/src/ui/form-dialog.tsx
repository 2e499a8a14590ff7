import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { Dialog, FocusWhenLoaded } from './dialog';
import { PageLoader } from './page-loader';

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Shows a form in a dialog; the focus returns to the button that opened it. */
export default function FormDialog({ title, isOpen, onClose, children }: FormDialogProps) {
  // Opens after it is mounted, because Mantine stores the focus only when a dialog changes to open.
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(isOpen), [isOpen]);
  return (
    <Dialog opened={isShown} onClose={onClose} title={title} size="lg">
      <Suspense fallback={<PageLoader />}>
        {children}
        <FocusWhenLoaded />
      </Suspense>
    </Dialog>
  );
}
