// Files are sent one by one, each as the whole body of a request, so that the server can write
// them straight to their place and stop at its limit.
(() => {
  const limit = () => Number(document.querySelector("meta[name=papilio-limit]").content);
  const chosen = new WeakMap();

  const size = (bytes) =>
    bytes >= 1 << 30 ? `${+(bytes / (1 << 30)).toPrecision(3)} GiB` : `${+(bytes / (1 << 20)).toPrecision(3)} MiB`;

  function say(zone, text, bad = false) {
    const line = zone.querySelector(".upload-state");
    line.textContent = text;
    line.classList.toggle("bad", bad);
  }

  function picked(zone, files) {
    files = [...files];
    if (!files.length) return;
    const large = files.find((file) => file.size > limit());
    if (large) {
      say(zone, `${large.name} is larger than the limit of ${size(limit())}. Start papilio serve with a larger --limit, or open the file by its path.`, true);
      return;
    }
    chosen.set(zone, files);
    zone.dispatchEvent(new CustomEvent("picked", { detail: files.map((file) => file.name) }));
  }

  function send(zone, file, address) {
    return new Promise((done) => {
      const request = new XMLHttpRequest();
      request.open("PUT", address + encodeURIComponent(file.name));
      request.upload.onprogress = (event) =>
        say(zone, `${file.name}: ${Math.floor((100 * event.loaded) / Math.max(event.total, 1))} %`);
      request.onload = () => {
        let answer = {};
        try { answer = JSON.parse(request.responseText); } catch { /* a page, not an answer */ }
        if (request.status === 413) answer.message = `${file.name} is larger than the limit of ${size(limit())}.`;
        done(request.status === 200 ? { name: answer.name } : { message: answer.message || "The upload was refused." });
      };
      request.onerror = () => done({ message: "The upload was broken off." });
      request.send(file);
    });
  }

  window.papilioUpload = async (identity, address) => {
    const zone = document.getElementById(identity);
    const names = [];
    let message = "";
    for (const file of chosen.get(zone) || []) {
      const answer = await send(zone, file, address);
      if (answer.name) names.push(answer.name);
      else { message = answer.message; break; }
    }
    say(zone, message || "Done.", Boolean(message));
    zone.querySelector("input").value = "";
    zone.dispatchEvent(new CustomEvent("uploaded", { detail: { names, message } }));
  };

  document.addEventListener("change", (event) => {
    const zone = event.target.closest?.(".upload");
    if (zone && event.target.type === "file") picked(zone, event.target.files);
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      const zone = event.target.closest?.(".upload");
      if (kind !== "dragleave") event.preventDefault();
      if (!zone) return;
      zone.classList.toggle("over", kind === "dragover");
      if (kind === "drop") picked(zone, event.dataTransfer.files);
    });
  }
})();
