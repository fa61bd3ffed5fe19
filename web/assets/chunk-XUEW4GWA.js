import{b as r}from"./chunk-U33JF7CU.js";async function u(i,t,s,c){let e=await fetch(i,t);if(!e.ok)throw r(await e.json().catch(()=>({})),e.status);c?.();let d=e.body.pipeThrough(new TextDecoderStream).getReader();for(let o="";;){let{done:f,value:l}=await d.read();if(f||t.signal.aborted)return;let n=(o+l).split(`
`);o=n.pop();for(let a of n)a&&await s(JSON.parse(a))}}export{u as a};
