/** Runs inside the browser: the contrast of every text and control edge that can be seen, by WCAG's formula. */

export const contrastProbe = `(() => {
  const parse = (color) => {
    const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const luminance = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color.a === 1) return color;
    }
    return { r: 255, g: 255, b: 255 };
  };
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const text = [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent.trim()).join(' ');
    if (text !== '' && element.localName !== 'option') {
      found.push({ text, needed: 4.5, ratio: contrast(parse(style.color), backgroundOf(element)) });
    }
    if (element.matches('input:not([type=hidden]), select')) {
      const outside = backgroundOf(element.parentElement);
      found.push({ text: 'edge of ' + element.id, needed: 3, ratio: contrast(parse(style.borderTopColor), outside) });
    }
  }
  return found;
})()`;
