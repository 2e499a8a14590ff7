import type { Locator, Page } from 'playwright-core';
import { tabTo } from './studio.js';

/** Returns functions that use a page of the studio without a mouse: each reaches its target by Tab from the current focus. */
export function keyboardOf(page: Page) {
  return {
    button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
    /** Returns a link of the navigation. */
    place: (name: string) => page.getByRole('navigation').getByRole('link', { name }),
    press: async (target: Locator, key = 'Enter') => {
      await tabTo(page, target);
      await page.keyboard.press(key);
    },
    /** Replaces the text of a field. */
    type: async (target: Locator, text: string) => {
      await tabTo(page, target);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
    },
  };
}

export type Keyboard = ReturnType<typeof keyboardOf>;
