import { Modal } from '@mantine/core';
import { Suspense, type ReactNode } from 'react';
import { PageLoader } from './page-loader';

interface FormDialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Shows a form in a dialog. */
export default function FormDialog({ title, isOpen, onClose, children }: FormDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size="lg">
      <Suspense fallback={<PageLoader />}>{children}</Suspense>
    </Modal>
  );
}
