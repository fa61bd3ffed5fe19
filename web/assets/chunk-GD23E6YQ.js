import{A as o,B as p,z as n}from"./chunk-VMDJWEOD.js";function i(r){let t;return function(m){let[e,f]=o(()=>t);return p(()=>{e||r().then(l=>f(()=>t=l),()=>{})},[]),e?n(e,{...m}):null}}export{i as a};
