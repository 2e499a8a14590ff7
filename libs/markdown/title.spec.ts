import { canBeTitle } from './title.js';

describe('canBeTitle', () => {
  it.each(['Report', 'API', 'A', '3 ways to fail', 'Q3 2024', '序', '第3章', 'v1.2', '¿Qué?', 'C'])(
    'accepts %j',
    (heading) => {
      expect(canBeTitle(heading)).toBe(true);
    },
  );

  it.each(['87 %', '87', '', '2024-03-12', '12,5 kg', '−3.5 °C', '(1)', '* * *', '$ 4.50', '5 µm'])(
    'refuses %j',
    (heading) => {
      expect(canBeTitle(heading)).toBe(false);
    },
  );
});
