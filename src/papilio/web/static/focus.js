// What had the focus, by its name: a part of a page that is drawn anew gives it back.
(() => {
  let last = null;
  document.addEventListener("focusin", (event) => {
    last = event.target.id || null;
  });
  window.papilioRefocus = () => {
    setTimeout(() => {
      const here = last && document.getElementById(last);
      if (here && document.activeElement === document.body) here.focus();
    }, 0);
  };
})();
